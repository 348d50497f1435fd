import {describe, expect, it} from 'vitest';
import type {ErrorKind} from '../../src/errors.ts';
import {socketError} from '../../src/protocol/http/socket-error.ts';

const url = new URL('https://user:pw@api.test/v1/chat/completions?key=k1234');
const connection = {url, proxy: undefined, hasReply: false};

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), {code});

describe('a failure of a socket', () => {
	it.each([
		['ECONNREFUSED', 'unavailable', true, 'nothing answers there'],
		['ENOTFOUND', 'unavailable', true, 'cannot be resolved'],
		['ECONNRESET', 'unavailable', true, 'the connection broke'],
		['ETIMEDOUT', 'unavailable', true, 'cannot be reached'],
		['ENETUNREACH', 'unavailable', true, 'cannot be reached'],
		['EPROTO', 'unavailable', false, 'TLS failed'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'unavailable', false, 'certificate is not trusted'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'unavailable', false, 'belongs to another host'],
		['HPE_INVALID_CONSTANT', 'protocol', false, 'not valid HTTP'],
		['Z_DATA_ERROR', 'protocol', true, 'compressed reply'],
		['ERR__ERROR_FORMAT_PADDING_1', 'protocol', true, 'compressed reply'],
		['EWHATEVER', 'unavailable', true, 'the connection failed'],
	] as ReadonlyArray<[string, ErrorKind, boolean, string]>)(
		'%s is of kind %s, retryable: %s',
		(code, kind, retryable, words) => {
			const error = socketError(withCode(code), connection);
			expect(error).toMatchObject({kind, details: {code, retryable}});
			expect(error.message).toMatch(/^cannot talk to https:\/\/api\.test\/v1\/chat\/completions/);
			expect(error.message).toContain(words);
			expect(error.message).toContain(`(${code})`);
			expect(error.message).not.toMatch(/pw|k1234/);
		},
	);

	it.each([
		['http://127.0.0.1:11434/v1', undefined, false],
		['http://localhost:11434/v1', new URL('http://proxy.test'), true],
	])('of %s by way of %s that is refused is retryable: %s', (text, proxy, retryable) => {
		const local = {...connection, url: new URL(text), proxy};
		expect(socketError(withCode('ECONNREFUSED'), local).details.retryable).toBe(retryable);
		expect(socketError(withCode('ECONNRESET'), local).details.retryable).toBe(true);
	});

	it('advises to trust an authority only for a certificate without a trusted authority', () => {
		const hintOf = (code: string) => socketError(withCode(code), connection).details.hint;
		expect(hintOf('SELF_SIGNED_CERT_IN_CHAIN')).toContain('--ca-file');
		expect(hintOf('CERT_HAS_EXPIRED')).toContain('clock');
		expect(hintOf('ERR_TLS_CERT_ALTNAME_INVALID')).toContain('host name');
	});

	it.each(['ENOTFOUND', 'EHOSTUNREACH'])(
		'is one of the proxy if that is the host to connect to: %s',
		(code) => {
			const proxy = new URL('http://user:secret-word@proxy.test:3128');
			const {message, details} = socketError(withCode(code), {...connection, proxy});
			expect(message).toMatch(/^cannot talk to the proxy http:\/\/proxy\.test:3128\/: /);
			expect(details.hint).toContain('Is it the right proxy?');
		},
	);

	it.each(['ECONNRESET', 'HPE_INVALID_CONSTANT'])(
		'may mean that a port of https got plain http: %s',
		(code) => {
			const plain = {...connection, url: new URL('http://api.test')};
			expect(socketError(withCode(code), plain).details.hint).toContain(
				'If that port expects https',
			);
			expect(socketError(withCode(code), connection).details.hint).toBeUndefined();
		},
	);

	it('in the middle of a reply does not name the address', () => {
		const replied = {...connection, hasReply: true};
		expect(socketError(withCode('ECONNRESET'), replied).message).toBe(
			'the connection broke (ECONNRESET)',
		);
		expect(socketError(withCode('HPE_INVALID_CONSTANT'), replied).message).toBe(
			'the reply is longer than announced (HPE_INVALID_CONSTANT)',
		);
	});

	it('may hide its code in causes, or in those of several addresses', () => {
		const hidden = [
			new Error('x', {cause: new Error('y', {cause: withCode('ECONNREFUSED')})}),
			new AggregateError([new Error('x'), withCode('ECONNREFUSED')]),
		];
		for (const error of hidden)
			expect(socketError(error, connection).details.code).toBe('ECONNREFUSED');
	});

	it('may have no code, or circular causes', () => {
		const endless = new Error('x');
		endless.cause = endless;
		for (const thrown of [endless, 'text', undefined, null, {}]) {
			const error = socketError(thrown, connection);
			expect(error).toMatchObject({kind: 'unavailable', details: {code: undefined}});
			expect(error.message).toMatch(/: the connection failed$/);
		}
	});
});
