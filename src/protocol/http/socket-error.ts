/** Connection failures, from Node's error codes to sentences. */
import {ChatError, type ErrorDetails, type ErrorKind} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {startHint} from '../../providers.ts';
import {redactUrl} from '../../redact.ts';

/** The failed connection. */
export type Connection = {
	readonly url: URL;
	readonly proxy: URL | undefined;
	/** The reply has begun: the error is about its body, and does not repeat the address. */
	readonly hasReply: boolean;
};

type SocketProblem = {
	readonly pattern: RegExp;
	/** Default: `unavailable`. */
	readonly kind?: ErrorKind;
	/** Default: a retry may help. */
	readonly isLasting?: boolean;
	readonly problem: string;
	readonly hint?: string;
	/** Concerns the first host on the way, perhaps a proxy. */
	readonly isOfFirstHost?: boolean;
};

const httpsHint =
	'Does the service speak https on that port? If not, write http:// in the base URL.';
const httpHint = 'If that port expects https, write https:// in the base URL.';
const clockHint =
	'Is the clock of this computer right? If it is, the service must renew its certificate.';
const hostHint = 'Check the host name in the base URL.';
const checkProxyHint =
	'Is it the right proxy? HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names it; NO_PROXY makes exceptions.';
export const proxyLoginHint =
	'The proxy requires a user name and password: http://user:password@host:port';

/** Hints about the base URL; longer hints may start with one. */
export const baseUrlHints: readonly string[] = [
	startHint(),
	httpsHint,
	httpHint,
	clockHint,
	hostHint,
];

const problems: readonly SocketProblem[] = [
	{
		pattern: /^ECONNREFUSED$/,
		problem: 'nothing answers there',
		hint: startHint(),
		isOfFirstHost: true,
	},
	{
		pattern: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_FAIL)$/,
		problem: 'the host name cannot be resolved',
		hint: 'Is the host name right, and is there a network?',
		isOfFirstHost: true,
	},
	{pattern: /^(ECONNRESET|EPIPE|ECONNABORTED)$/, problem: 'the connection broke'},
	{
		pattern: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
		problem: 'the host cannot be reached',
		isOfFirstHost: true,
	},
	{
		pattern: /^(EPROTO|ERR_SSL_.*)$/,
		isLasting: true,
		problem: 'TLS failed',
		hint: httpsHint,
	},
	{
		pattern: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
		isLasting: true,
		problem: 'the certificate is not valid at this time',
		hint: clockHint,
	},
	{
		pattern: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
		isLasting: true,
		problem: 'the certificate belongs to another host',
		hint: hostHint,
	},
	{
		pattern:
			/^(CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*)$/,
		isLasting: true,
		problem: 'the certificate is not trusted',
		hint: "If a private authority issued it, pass the authority's certificate with --ca-file.",
	},
	{pattern: /^(Z_|ERR__ERROR_)/, kind: 'protocol', problem: 'the compressed reply is broken'},
	{
		pattern: /^HPE_HEADER_OVERFLOW$/,
		kind: 'protocol',
		isLasting: true,
		problem: 'the reply headers are too large',
	},
	{pattern: /^HPE_/, kind: 'protocol', isLasting: true, problem: 'the reply is not valid HTTP'},
];

const unknownProblem: SocketProblem = {pattern: /^/, problem: 'the connection failed'};

/** Makes a `ChatError` from any socket or request failure. */
export function socketError(error: unknown, connection: Connection): ChatError {
	if (error instanceof ChatError) return error;
	const code = findCode(error, 0);
	const known = problems.find(({pattern}) => code !== undefined && pattern.test(code));
	const {kind = 'unavailable', isLasting, problem, hint, isOfFirstHost} = known ?? unknownProblem;
	const {url, proxy, hasReply} = connection;
	const isStopped = code === 'ECONNREFUSED' && isOfThisMachine(connection);
	const details = {code, retryable: isLasting !== true && !isStopped, cause: error};
	const shown = code === undefined ? '' : ` (${code})`;
	if (hasReply) return new ChatError(kind, `${problemOfBody(code) ?? problem}${shown}`, details);
	if (proxy !== undefined && isOfFirstHost === true) {
		return new ChatError(kind, `cannot talk to the proxy ${redactUrl(proxy)}: ${problem}${shown}`, {
			...details,
			hint: checkProxyHint,
		});
	}
	return new ChatError(kind, `cannot talk to ${nameOf(connection)}: ${problem}${shown}`, {
		...details,
		hint: isStopped
			? startHint(Number(url.port))
			: (proxyHint(hint, connection) ?? hint ?? schemeHint(code, connection)),
	});
}

/** No other machine can refuse or delay these connections. */
function isOfThisMachine({url, proxy}: Connection): boolean {
	return proxy === undefined && (isLoopback(url.hostname) || !url.protocol.startsWith('http'));
}

/** The host accepted the connection, and its port ignored the TLS greeting. */
export function silentTlsError(limit: string, connection: Connection): ChatError {
	return new ChatError('timeout', `${nameOf(connection)}: no answer to TLS within ${limit}`, {
		code: 'ETIMEDOUT',
		retryable: !isOfThisMachine(connection),
		hint: proxyHint(httpsHint, connection) ?? httpsHint,
	});
}

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

/** After a valid head, these codes mean surplus bytes after the body. */
function problemOfBody(code: string | undefined): string | undefined {
	const isSurplus = code === 'HPE_INVALID_CONSTANT' || code === 'HPE_CLOSED_CONNECTION';
	return isSurplus ? 'the reply is longer than announced' : undefined;
}

/** Nothing came from the service, so the proxy may be the reason. */
function proxyHint(hint: string | undefined, {proxy}: Connection): string | undefined {
	if (proxy === undefined) return undefined;
	const isOfTlsToProxy = hint === httpsHint && proxy.protocol === 'https:';
	return hint === undefined || isOfTlsToProxy ? checkProxyHint : undefined;
}

/** An https port closes a plain http connection, or answers with TLS bytes. */
function schemeHint(code: string | undefined, {url}: Connection): string | undefined {
	const isLikely = code === 'ECONNRESET' || code === 'HPE_INVALID_CONSTANT';
	if (url.protocol !== 'http:' || !isLikely) return undefined;
	return httpHint;
}

/** A proxy refused CONNECT; nothing was sent to the service. */
export function tunnelError(status: number, {hostname}: URL, proxy: URL | undefined): ChatError {
	const shown = proxy === undefined ? 'the proxy' : `the proxy ${redactUrl(proxy)}`;
	const message = `${shown} refused to connect to ${hostname}: it answered ${status}`;
	if (status === 407) {
		return new ChatError('auth', message, {status, hint: proxyLoginHint, retryable: false});
	}
	const hint = 'To connect without it, add the host to NO_PROXY.';
	return new ChatError('unavailable', message, {status, hint, retryable: status >= 500});
}

/** Node hides the code in `cause`, or in the errors for several addresses. */
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
