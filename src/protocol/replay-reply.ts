/** Reads replies that did not come over a connection of their own. */
import type {StreamChat} from '../chat/stream-chat.ts';
import {errorFromReply} from './errors/service-error.ts';
import type {ServiceConnection} from './service-connection.ts';
import {createContext} from './stream-chat.ts';

/** @param body the whole reply as text */
export function createReplay(
	connection: ServiceConnection,
	{status, body}: {readonly status: number; readonly body: string},
): StreamChat {
	return async function* replay(request) {
		const {wire} = connection;
		const context = createContext(connection, request, wire.encode(request));
		if (status < 200 || status > 299) throw errorFromReply({status, headers: {}}, body, context);
		const decoder = wire.createDecoder(context, 1);
		decoder.push(Buffer.from(body));
		if (decoder.error === undefined) decoder.end({isBodyComplete: true, failure: undefined});
		yield decoder.take();
		if (decoder.error !== undefined) throw decoder.error;
	};
}
