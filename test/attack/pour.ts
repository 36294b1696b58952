import type { Socket } from 'node:net';

/**
 * Sends the same bytes repeatedly, as fast as the other end of the connection reads them, until it
 * disconnects.
 */
export function pour(socket: Socket, bytes: Buffer): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', fill);
  fill();
}
