/** Makes errors of ours of those of the SDK. */
import {ChatError} from '../errors.ts';
import {lineHint} from '../hint.ts';
import {baseUrlHints} from '../protocol/http/socket-error.ts';
import type {Redact} from '../redact.ts';

/** How a connection ended. */
export type ConnectionEnd = {
	readonly kind: 'unavailable' | 'protocol';
	/** As the end of a sentence about the server. */
	readonly reason: string;
};

type SdkFailure = Error & {
	/** A word of the SDK, or the number of an error of the protocol. */
	readonly code?: unknown;
	readonly status?: unknown;
	readonly cause?: unknown;
};

const maxMessage = 1000;

/** A connection, for its errors. */
export type ErrorSource = {
	/** How it ended by itself. */
	endOf(): ConnectionEnd | undefined;
	/** Removes the secrets of the entry, which may be a part of its address. */
	readonly redact: Redact;
};

export function toServerError(
	thrown: unknown,
	server: string,
	{endOf, redact}: ErrorSource,
): ChatError {
	const {kind, message, details} = describeError(thrown, server, endOf());
	return new ChatError(kind, redact(message), details);
}

function describeError(thrown: unknown, server: string, end: ConnectionEnd | undefined): ChatError {
	const own = findOwn(thrown);
	if (own !== undefined) return nameServer(own, server);
	const subject = `the MCP server ${server}`;
	if (end !== undefined) return new ChatError(end.kind, `${subject} ${end.reason}`);
	const error = thrown as SdkFailure;
	const message = String(error.message).slice(0, maxMessage);
	const details = {cause: thrown};
	const {code, status} = error;
	if (isLoginProblem(error)) {
		const reason =
			error.name === 'UnauthorizedError' || status === 401 ? 'needs a login' : 'denies access';
		return new ChatError('auth', `${subject} ${reason}`, {...details, hint: loginHint(server)});
	}
	if (typeof status === 'number') {
		return new ChatError(
			status >= 500 ? 'unavailable' : 'protocol',
			`${subject} answered ${status}`,
			{
				...details,
				status,
				hint: addressHint(status),
			},
		);
	}
	if (typeof code === 'number') {
		const kind = refusals.includes(code) ? 'rejected' : 'protocol';
		return new ChatError(kind, `${subject} reports an error: ${message}`, details);
	}
	// The SDK gives this one no code.
	switch (message === 'Not connected' ? 'NOT_CONNECTED' : code) {
		case 'REQUEST_TIMEOUT':
			return new ChatError('timeout', `${subject} did not answer in time`, details);
		case 'CONNECTION_CLOSED':
		case 'NOT_CONNECTED':
			return new ChatError('unavailable', `${subject} closed the connection`, details);
		default:
			return new ChatError(
				'protocol',
				`${subject} does not speak the protocol: ${message}`,
				details,
			);
	}
}

/** Statuses of an address that has no server of streamable HTTP. */
function addressHint(status: number): string | undefined {
	if (status !== 404 && status !== 405) return undefined;
	return 'Check the address. It may be one of the older transport (SSE), which chat does not support; many of these servers support streamable HTTP too, at another address.';
}

export function loginHint(server: string): string {
	return `Log in with: chat mcp login ${server}`;
}

function isLoginProblem({name, status}: SdkFailure): boolean {
	const isNamed = name === 'UnauthorizedError' || name === 'InsufficientScopeError';
	return isNamed || status === 401 || status === 403;
}

/** Invalid parameters, and a resource that does not exist. */
const refusals: readonly number[] = [-32_602, -32_002];

/** Says which server an error is about, in place of a hint about the base URL of the service. */
function nameServer(error: ChatError, server: string): ChatError {
	const {kind, message, details} = error;
	const hint = lineHint(details.hint ?? '');
	if (!baseUrlHints.some((start) => hint.startsWith(start))) return error;
	return new ChatError(kind, `the MCP server ${server}: ${message}`, {...details, hint: undefined});
}

/** Our `fetch` throws errors of ours, which the SDK wraps. */
function findOwn(error: unknown): ChatError | undefined {
	for (let current = error; current instanceof Error; current = current.cause) {
		if (current instanceof ChatError) return current;
	}
	return undefined;
}
