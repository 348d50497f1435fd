/** Converts SDK errors to ours. */
import {ChatError, type ErrorDetails, type ErrorKind} from '../errors.ts';
import {lineHint} from '../hint.ts';
import {baseUrlHints} from '../protocol/http/socket-error.ts';
import type {Redact} from '../redact.ts';

/** How a connection ended. */
export type ConnectionEnd = {
	readonly kind: 'unavailable' | 'protocol';
	/** A phrase about the server, to end a sentence. */
	readonly reason: string;
};

/** A connection, for its errors. */
export type ErrorSource = {
	/** How it ended on its own. */
	endOf(): ConnectionEnd | undefined;
	/** Removes the entry's secrets, which its address may contain. */
	readonly redact: Redact;
};

type SdkFailure = Error & {
	/** An SDK word, or the protocol's error number. */
	readonly code?: unknown;
	readonly status?: unknown;
	readonly data?: {readonly timeout?: number};
	readonly cause?: unknown;
};

const maxMessage = 1000;

export function toServerError(
	thrown: unknown,
	server: string,
	{endOf, redact}: ErrorSource,
): ChatError {
	const own = findOwn(thrown);
	if (own !== undefined) return nameServer(own, server, redact);
	const describe = (kind: ErrorKind, reason: string, details: ErrorDetails = {}) =>
		new ChatError(kind, redact(`the MCP server ${server} ${reason}`), {cause: thrown, ...details});
	const end = endOf();
	if (end !== undefined) return describe(end.kind, end.reason);
	const {name, message: words, code, status, data} = thrown as SdkFailure;
	const message = String(words).slice(0, maxMessage);
	if (status === 401 || status === 403 || loginErrors.includes(name)) {
		const isRefused = status === 403 || name === 'InsufficientScopeError';
		return describe('auth', isRefused ? 'denies access' : 'needs a login', {
			hint: loginHint(server),
		});
	}
	if (typeof status === 'number') {
		const kind = status >= 500 ? 'unavailable' : 'protocol';
		return describe(kind, `answered ${status}`, {status, hint: addressHint(status)});
	}
	if (typeof code === 'number') {
		const kind = refusals.includes(code) ? 'rejected' : 'protocol';
		return describe(kind, `reports an error: ${message}`);
	}
	// The SDK throws one error without a code.
	switch (words === 'Not connected' ? 'NOT_CONNECTED' : code) {
		case 'REQUEST_TIMEOUT':
			return timeoutError(server, data?.timeout ?? 0);
		case 'CONNECTION_CLOSED':
		case 'NOT_CONNECTED':
			return describe('unavailable', 'closed the connection');
		default: {
			// A validator lists in JSON what it would have accepted.
			const isListed = code === 'INVALID_RESULT' || /ZodError$/.test(name);
			const problem = isListed ? 'it sent a message that is not valid' : message;
			return describe('protocol', `does not speak the protocol: ${problem}`);
		}
	}
}

/** @param remark the end of the sentence */
export function timeoutError(server: string, limitMs: number, remark = ''): ChatError {
	const limit = `${Math.ceil(limitMs) / 1000} s`;
	return new ChatError(
		'timeout',
		`the MCP server ${server} did not answer within ${limit}${remark}`,
	);
}

/** Statuses from an address without a streamable-HTTP server. */
function addressHint(status: number): string | undefined {
	if (status !== 404 && status !== 405) return undefined;
	return 'Check the address. It may be one of the older transport (SSE), which chat does not support; many of these servers support streamable HTTP too, at another address.';
}

export function loginHint(server: string): string {
	return `Log in with: chat mcp login ${server}`;
}

const loginErrors: readonly string[] = ['UnauthorizedError', 'InsufficientScopeError'];

/** Invalid parameters, and a missing resource. */
const refusals: readonly number[] = [-32_602, -32_002];

/** Names the failing server, in place of a hint about the service's base URL. */
function nameServer(
	{kind, message, details}: ChatError,
	server: string,
	redact: Redact,
): ChatError {
	const hint = lineHint(details.hint ?? '');
	const isAboutService = baseUrlHints.some((start) => hint.startsWith(start));
	return isAboutService
		? new ChatError(kind, redact(`the MCP server ${server}: ${message}`), {
				...details,
				hint: undefined,
			})
		: new ChatError(kind, redact(message), details);
}

/** Our `fetch` throws our errors, which the SDK wraps. */
function findOwn(error: unknown): ChatError | undefined {
	for (let current = error; current instanceof Error; current = current.cause) {
		if (current instanceof ChatError) return current;
	}
	return undefined;
}
