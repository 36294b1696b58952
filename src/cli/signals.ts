/** Ctrl-C asks to finish; a second one insists. */
export function onInterrupt(finish: () => void): () => void {
  let asked = false;
  const handle = () => {
    if (asked) process.exit(130);
    asked = true;
    finish();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle);
    process.off('SIGTERM', handle);
  };
}
