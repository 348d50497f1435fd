/** Failures of the connection itself, from Node's error codes to sentences. */
import {ChatError, type ErrorKind} from '../errors.ts';
import {redactUrl} from '../redact.ts';

type SocketProblem = {
	readonly pattern: RegExp;
	readonly kind: ErrorKind;
	readonly isRetryable: boolean;
	readonly problem: string;
	readonly hint?: string;
};

const problems: readonly SocketProblem[] = [
	{
		pattern: /^ECONNREFUSED$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'nothing answers there',
		hint: 'Is the service running, and are host and port right?',
	},
	{
		pattern: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_FAIL)$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'the host name cannot be resolved',
		hint: 'Check the base URL and the network.',
	},
	{
		pattern: /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'the connection broke',
	},
	{
		pattern: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
		kind: 'unavailable',
		isRetryable: true,
		problem: 'the host cannot be reached',
	},
	{
		pattern: /^(EPROTO|ERR_SSL_.*)$/,
		kind: 'unavailable',
		isRetryable: false,
		problem: 'TLS failed',
		hint: 'Does the service speak https on that port?',
	},
	{
		pattern:
			/^(CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*)$/,
		kind: 'unavailable',
		isRetryable: false,
		problem: 'the certificate of the service is not trusted',
		hint: 'For a private certificate authority name its certificate with --ca-file.',
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
		pattern: /^HPE_(?!INVALID_CONSTANT$)/,
		kind: 'protocol',
		isRetryable: false,
		problem: 'the reply breaks the rules of HTTP',
	},
	{
		pattern: /^HPE_/,
		kind: 'protocol',
		isRetryable: false,
		problem: 'the reply is no HTTP',
		hint: 'Is that the port of an http service, or does it want https?',
	},
];

const unknownProblem: SocketProblem = {
	pattern: /^/,
	kind: 'unavailable',
	isRetryable: true,
	problem: 'the connection failed',
};

/** Turns whatever a socket or request failed with into a `ChatError`; one that is none stays. */
export function socketError(error: unknown, url: URL, proxy?: URL): ChatError {
	if (error instanceof ChatError) return error;
	const code = findCode(error, 0);
	const known = problems.find(({pattern}) => code !== undefined && pattern.test(code));
	const {kind, isRetryable, problem, hint} = known ?? unknownProblem;
	const via = proxy === undefined ? '' : ` through the proxy ${redactUrl(proxy)}`;
	const shown = code === undefined ? '' : ` (${code})`;
	return new ChatError(kind, `cannot talk to ${redactUrl(url)}${via}: ${problem}${shown}`, {
		code,
		hint,
		retryable: isRetryable,
		cause: error,
	});
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
