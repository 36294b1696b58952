/**
 * Declares the types of WebAssembly that kernels need. Node.js has WebAssembly, but TypeScript declares it
 * only in the browser library, which would also declare names such as `document`.
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
