import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {ChatError, describeError, hintOf, toChatError} from '../src/errors.ts';

test('a failure is a bug unless this program made it, or a string got too long', () => {
	const cause = new TypeError('x is not a function');
	expect(toChatError(cause)).toMatchObject({kind: 'bug', message: cause.message, cause});
	expect(toChatError('thrown text')).toMatchObject({kind: 'bug', message: 'thrown text'});
	expect(toChatError(undefined).kind).toBe('bug');
	const own = new ChatError('data', 'no image');
	expect(toChatError(own)).toBe(own);
	let tooLong: unknown;
	try {
		'x'.repeat(2 ** 29);
	} catch (error) {
		tooLong = error;
	}
	expect(toChatError(tooLong)).toMatchObject({kind: 'data', cause: tooLong});
});

test('a failure of a program that an update replaced while it runs asks to start it again', () => {
	// The import of Node itself, not that of the test runner.
	const script = "import('/gone.js').catch(({code}) => process.stdout.write(code));";
	const code = execFileSync(process.execPath, ['-e', script], {encoding: 'utf8'});
	const error = toChatError(Object.assign(new Error('Cannot find module'), {code}));
	expect(describeError(error)).toEqual([
		'unexpected error: a program file is missing; chat was probably updated while it ran',
	]);
	expect(hintOf(error)).toContain('Exit and start chat again');
});

test('a bug asks for a report', () => {
	const error = new ChatError('bug', 'no such state');
	expect(describeError(error)).toEqual(['unexpected error: no such state']);
	expect(hintOf(error)).toContain('This is a bug in chat.');
});
