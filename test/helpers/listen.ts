/** Starts servers of Node on a free port of this machine, for one test. */
import {once} from 'node:events';
import type {AddressInfo, Server, Socket} from 'node:net';
import {onTestFinished} from 'vitest';

/** Returns the port. */
export async function listen(server: Server): Promise<number> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}
