/** A request's way from first byte to reply, and the only place where an error becomes a reply. */
import {randomBytes} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {JsonMistake} from '../../check-json.ts';
import {encodeError, invalidRequest, ServiceError} from '../service-error.ts';
import {allowOrigin, checkHost, checkKey} from './check-access.ts';
import {chooseServe, findRoute} from './routes.ts';
import {type Service, writeJson} from './service.ts';

/**
 * How long an oversized body may keep arriving: if it were cut at once, its sender would not see
 * the reason.
 */
const lingerMs = 1_000;

/** Serves one request; never fails. */
export async function handleRequest(
	service: Service,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const id = `req_${randomBytes(12).toString('hex')}`;
	response.setHeader('x-request-id', id);
	// `close` reports a broken connection.
	response.on('error', () => undefined);
	const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
	const route = findRoute(path);
	const isPreflight = allowOrigin(request, response, service.corsOrigin);
	const isKept = route?.isUnrecorded !== true && !isPreflight;
	const record = isKept ? service.recorder.begin(id, request, response) : undefined;
	try {
		checkHost(request, service.ownHost);
		if (isPreflight) {
			response.writeHead(204).end();
			return;
		}
		if (route?.isOpen !== true) checkKey(request, service.apiKey);
		const serve = chooseServe(route, path, request.method ?? '');
		await serve(service, {request, response, path, record});
	} catch (error) {
		refuse(request, response, error);
	}
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return;
	}
	const refusal = toRefusal(error);
	const {status, details} = refusal;
	const isCut = status === 413;
	writeJson(
		response,
		status,
		encodeError(refusal),
		isCut ? {connection: 'close'} : details.headers,
	);
	const end = () => response.end();
	if (!isCut) return void end();
	request.once('end', end).resume();
	setTimeout(end, lingerMs).unref();
}

function toRefusal(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	if (!(error instanceof JsonMistake)) return new ServiceError(500, 'the service has failed');
	const {path, message, isMissing} = error;
	return invalidRequest(path, message, isMissing ? 'missing_required_parameter' : undefined);
}
