/** Failures of the connection itself, from Node's error codes to sentences. */
import {ChatError, type ErrorDetails, type ErrorKind} from '../../errors.ts';
import {redactUrl} from '../../redact.ts';

/** The connection that failed. */
export type Connection = {
	readonly url: URL;
	readonly proxy: URL | undefined;
	/** The reply has begun: messages are about its body, and leave the address to their reader. */
	readonly hasReply: boolean;
};

type SocketProblem = {
	readonly pattern: RegExp;
	readonly kind: ErrorKind;
	readonly isRetryable: boolean;
	readonly problem: string;
	readonly hint?: string;
	/** It is one of the host that is connected to, which may be a proxy. */
	readonly isOfFirstHost?: boolean;
};

const problems: readonly SocketProblem[] = [
	{
		pattern: /^ECONNREFUSED$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'nothing answers there',
		hint: 'Is the service running, and are host and port right?',
		isOfFirstHost: true,
	},
	{
		pattern: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_FAIL)$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'the host name cannot be resolved',
		hint: 'Check the base URL and the network.',
		isOfFirstHost: true,
	},
	{
		pattern: /^(ECONNRESET|EPIPE|ECONNABORTED)$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'the connection broke',
	},
	{
		pattern: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'the host cannot be reached',
		isOfFirstHost: true,
	},
	{
		pattern: /^(EPROTO|ERR_SSL_.*)$/,
		kind: 'unavailable',
		isRetryable: false,
		problem: 'TLS failed',
		hint: 'Does the service speak https on that port?',
	},
	{
		pattern: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
		kind: 'unavailable',
		isRetryable: false,
		problem: 'the certificate is not valid at this time',
		hint: 'Is the clock of this computer right? If it is, the service must renew its certificate.',
	},
	{
		pattern: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
		kind: 'unavailable',
		isRetryable: false,
		problem: 'the certificate belongs to another host',
		hint: 'Check the host name in the base URL.',
	},
	{
		pattern:
			/^(CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*)$/,
		kind: 'unavailable',
		isRetryable: false,
		problem: 'the certificate is not trusted',
		hint: 'If a private authority issued it, name the certificate of the authority with --ca-file.',
	},
	{
		pattern: /^(Z_|ERR__ERROR_)/,
		kind: 'protocol',
		isRetryable: true,
		problem: 'the compressed reply is broken',
	},
	{
		pattern: /^HPE_HEADER_OVERFLOW$/,
		kind: 'protocol',
		isRetryable: false,
		problem: 'the headers of the reply are too large',
	},
	{
		pattern: /^HPE_/,
		kind: 'protocol',
		isRetryable: false,
		problem: 'the reply is not valid HTTP',
	},
];

const unknownProblem: SocketProblem = {
	pattern: /^/,
	kind: 'unavailable',
	isRetryable: true,
	problem: 'the connection failed',
};

/** Turns whatever a socket or request failed with into a `ChatError`; one that is one already stays. */
export function socketError(error: unknown, connection: Connection): ChatError {
	if (error instanceof ChatError) return error;
	const code = findCode(error, 0);
	const known = problems.find(({pattern}) => code !== undefined && pattern.test(code));
	const {kind, isRetryable, problem, hint, isOfFirstHost = false} = known ?? unknownProblem;
	const details = {code, retryable: isRetryable, cause: error};
	const shown = code === undefined ? '' : ` (${code})`;
	const {proxy, hasReply} = connection;
	if (hasReply) return new ChatError(kind, `${problemOfBody(code) ?? problem}${shown}`, details);
	if (proxy !== undefined && isOfFirstHost) {
		return new ChatError(kind, `cannot talk to the proxy ${redactUrl(proxy)}: ${problem}${shown}`, {
			...details,
			hint: 'Is it the right proxy? HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names it; NO_PROXY makes exceptions.',
		});
	}
	return new ChatError(kind, `cannot talk to ${nameOf(connection)}: ${problem}${shown}`, {
		...details,
		hint: hint ?? hintOfScheme(code, connection),
	});
}

/** A time limit that has passed. */
export function timeoutError(
	problem: string,
	connection: Connection,
	details: Pick<ErrorDetails, 'isFinal'>,
): ChatError {
	const message = connection.hasReply ? problem : `${nameOf(connection)}: ${problem}`;
	return new ChatError('timeout', message, {...details, code: 'ETIMEDOUT', retryable: true});
}

function nameOf({url, proxy}: Connection): string {
	const via = proxy === undefined ? '' : ` through the proxy ${redactUrl(proxy)}`;
	return `${redactUrl(url)}${via}`;
}

/** After a head that was valid, the parser stumbles over what follows the body. */
function problemOfBody(code: string | undefined): string | undefined {
	const isSurplus = code === 'HPE_INVALID_CONSTANT' || code === 'HPE_CLOSED_CONNECTION';
	return isSurplus ? 'the reply is longer than announced' : undefined;
}

/** A port for https closes the connection on plain http, or answers with bytes of TLS. */
function hintOfScheme(code: string | undefined, {url}: Connection): string | undefined {
	const isLikely = code === 'ECONNRESET' || code === 'HPE_INVALID_CONSTANT';
	if (url.protocol !== 'http:' || !isLikely) return undefined;
	return 'If that port expects https, write https:// in the base URL.';
}

/** A proxy that answers CONNECT with anything but a tunnel; nothing was sent to the service. */
export function tunnelError(status: number, {hostname}: URL, proxy: URL | undefined): ChatError {
	const shown = proxy === undefined ? 'the proxy' : `the proxy ${redactUrl(proxy)}`;
	const isPasswordMissing = status === 407;
	return new ChatError(
		isPasswordMissing ? 'auth' : 'unavailable',
		`${shown} refused to connect to ${hostname}: it answered ${status}`,
		{
			status,
			hint: isPasswordMissing ? proxyLoginHint : 'To connect without it, add the host to NO_PROXY.',
			retryable: status >= 500,
		},
	);
}

export const proxyLoginHint =
	'The proxy requires a user name and password: http://user:password@host:port';

/** Node hides the code in `cause`, or in the errors of several addresses tried. */
function findCode(error: unknown, depth: number): string | undefined {
	if (!(error instanceof Error) || depth > 5) return undefined;
	const {code} = error as NodeJS.ErrnoException;
	if (typeof code === 'string') return code;
	const inner = error instanceof AggregateError ? error.errors : [error.cause];
	for (const cause of inner) {
		const found = findCode(cause, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}
