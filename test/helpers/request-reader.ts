/**
 * Parses HTTP requests from the bytes of a socket, to record them. Bodies need a `content-length`;
 * a request without one has no body.
 */

export type RecordedRequest = {
	readonly method: string;
	readonly path: string;
	/** Names in lower case; the last of repeated headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** When its last byte arrived, by `performance.now()`. */
	readonly atMs: number;
};

type RequestHead = Pick<RecordedRequest, 'method' | 'path' | 'headers'> & {
	/** Bytes of the head and the body. */
	readonly totalBytes: number;
};

const endOfHead = '\r\n\r\n';

/** Returns a function that takes the reads of a socket, and passes on each complete request. */
export function createRequestReader(
	onRequest: (request: RecordedRequest) => void,
): (bytes: Buffer) => void {
	let pending: Buffer[] = [];
	let pendingBytes = 0;
	let head: RequestHead | undefined;

	/** Takes one request off the front; returns false if it is incomplete. */
	function takeRequest(): boolean {
		if (head !== undefined && pendingBytes < head.totalBytes) return false;
		const bytes = Buffer.concat(pending);
		pending = [bytes];
		head ??= readHead(bytes);
		if (head === undefined || bytes.length < head.totalBytes) return false;
		const {totalBytes, ...rest} = head;
		const bodyStart = bytes.indexOf(endOfHead) + endOfHead.length;
		const body = bytes.toString('utf8', bodyStart, totalBytes);
		pending = [bytes.subarray(totalBytes)];
		pendingBytes -= totalBytes;
		head = undefined;
		onRequest({...rest, body, atMs: performance.now()});
		return pendingBytes > 0;
	}

	return (bytes) => {
		pending.push(bytes);
		pendingBytes += bytes.length;
		while (takeRequest());
	};
}

function readHead(bytes: Buffer): RequestHead | undefined {
	const headEnd = bytes.indexOf(endOfHead);
	if (headEnd === -1) return undefined;
	const [requestLine = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n');
	const [method = '', path = ''] = requestLine.split(' ');
	const headers: Record<string, string> = {};
	for (const field of fields) {
		const colon = field.indexOf(':');
		headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
	}
	const bodyBytes = Number(headers['content-length'] ?? 0);
	return {method, path, headers, totalBytes: headEnd + endOfHead.length + bodyBytes};
}
