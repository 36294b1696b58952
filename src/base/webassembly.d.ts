/**
 * The part of the WebAssembly interface that kernels need. Node has it, but its types are only in those of
 * browsers, with which every program would seem to have a `document`.
 */
declare namespace WebAssembly {
  interface Module {
    readonly brand?: 'module';
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  interface MemoryDescriptor {
    initial: number;
    maximum?: number;
    shared?: boolean;
  }
  const Module: new (bytes: Uint8Array) => Module;
  const Memory: new (descriptor: MemoryDescriptor) => Memory;
  const Instance: new (module: Module, imports?: Record<string, Record<string, unknown>>) => Instance;
}
