/**
 * The connections of a server, and which of them carry a request. Node's own notion of idle leaves
 * out those that never sent one, and a closing server would wait for them.
 */
import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

export interface Connections {
	/** Notes that a connection carries a request, until its response has ended. */
	begin(response: ServerResponse): void;
	/** Closes what carries nothing now, and everything else once it carries nothing. */
	closeIdle(): void;
}

export function trackConnections(server: Server): Connections {
	const open = new Set<Socket>();
	const busy = new Set<Socket>();
	let isClosing = false;
	server.on('connection', (socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	return {
		begin(response) {
			const {socket} = response;
			if (socket === null) return;
			busy.add(socket);
			response.once('close', () => {
				busy.delete(socket);
				if (isClosing) socket.destroySoon();
			});
		},
		closeIdle() {
			isClosing = true;
			for (const socket of open) if (!busy.has(socket)) socket.destroy();
		},
	};
}
