/** Reads the parts of a Dockerfile that the tests compare with other files. */

export interface Instruction {
  name: string;
  /** The rest of the instruction on one line. */
  text: string;
}

/** Returns the instructions, without comments and with continued lines joined. */
export function instructionsOf(dockerfile: string): Instruction[] {
  const code = dockerfile.replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '');
  return [...code.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name, text]) => ({ name: name!, text: text! }));
}

/**
 * Returns the images with which the stages of the Dockerfile begin, each once. Earlier stages of the same file
 * are not images and are left out.
 */
export function baseImagesOf(dockerfile: string): string[] {
  const from = instructionsOf(dockerfile)
    .filter(({ name }) => name === 'FROM')
    .map(({ text }) => text.split(/ +AS +/i));
  const stages = new Set(from.map(([, stage]) => stage));
  return [...new Set(from.map(([image]) => image!).filter((image) => !stages.has(image)))];
}
