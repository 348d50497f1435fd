/**
 * Why a request is refused. Thrown anywhere below the request handler, which turns it into a reply.
 */
import type {ErrorJson} from '../protocol/chat-completions/json-types.ts';

export type ServiceErrorDetails = {
	/** The field at fault, as a path (`messages[0].content`), or null. */
	readonly param?: string | null;
	readonly code?: string | null;
	readonly headers?: Readonly<Record<string, string>>;
};

export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly status: number;
	readonly details: ServiceErrorDetails;

	constructor(status: number, message: string, details: ServiceErrorDetails = {}) {
		super(message);
		this.status = status;
		this.details = details;
	}
}

/** A 400 naming the faulty field; null for the body as a whole. */
export function invalidRequest(
	param: string | null,
	message: string,
	code = 'invalid_value',
): ServiceError {
	return new ServiceError(400, message, {param, code});
}

const typeOfStatus: Readonly<Record<number, string>> = {
	401: 'authentication_error',
	404: 'not_found_error',
	429: 'rate_limit_error',
};

/** The error body, in the convention's form. */
export function encodeError(error: ServiceError): ErrorJson {
	const fallback = error.status >= 500 ? 'server_error' : 'invalid_request_error';
	return {
		error: {
			message: error.message,
			type: typeOfStatus[error.status] ?? fallback,
			param: error.details.param ?? null,
			code: error.details.code ?? null,
		},
	};
}
