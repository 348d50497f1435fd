import {execFileSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {ChatError, describeError, hintOf, toChatError} from '../src/errors.ts';

describe('a failure', () => {
	test('that is unexpected is a bug', () => {
		const cause = new TypeError('x is not a function');
		expect(toChatError(cause)).toMatchObject({kind: 'bug', message: cause.message, cause});
		expect(toChatError('thrown text')).toMatchObject({kind: 'bug', message: 'thrown text'});
		expect(toChatError(undefined).kind).toBe('bug');
	});

	test('of a string that is too long is not a bug', () => {
		let cause: unknown;
		try {
			'x'.repeat(2 ** 29);
		} catch (error) {
			cause = error;
		}
		expect(toChatError(cause)).toMatchObject({kind: 'data', cause});
	});

	test('of this program is returned unchanged', () => {
		const error = new ChatError('data', 'no image');
		expect(toChatError(error)).toBe(error);
	});

	test('is described by its message and the request id', () => {
		const error = new ChatError('busy', 'too many requests', {requestId: 'req_1'});
		expect(describeError(error)).toEqual(['too many requests', 'request id: req_1']);
	});

	test('of a program that an update replaced while it runs asks to start it again', () => {
		// The import of Node itself, not that of the test runner.
		const script = "import('/gone.js').catch(({code}) => process.stdout.write(code));";
		const code = execFileSync(process.execPath, ['-e', script], {encoding: 'utf8'});
		const error = toChatError(Object.assign(new Error('Cannot find module'), {code}));
		expect(describeError(error)).toEqual([
			'unexpected error: a program file is missing; chat was probably updated while it ran',
		]);
		expect(hintOf(error)).toContain('Exit and start chat again');
	});

	test('of this program asks for a report', () => {
		const error = new ChatError('bug', 'no such state');
		expect(describeError(error)).toEqual(['unexpected error: no such state']);
		expect(hintOf(error)).toContain('This is a bug in chat.');
	});
});
