import {expect, test} from 'vitest';
import {joinHints, lineHint, replHint, withHint} from '../src/hint.ts';
import {offeredHint} from '../src/protocol/list-models.ts';
import {startHint} from '../src/providers.ts';

const file = {line: 'Send it with -f', repl: 'Attach it with /file.'};

test('several hints are one line, with a full stop after a command', () => {
	expect(joinHints('Did you mean a?', 'To fix it: chat config edit', 'Or not.')).toBe(
		'Did you mean a? To fix it: chat config edit. Or not.',
	);
});

test('a session has words of its own', () => {
	const both = joinHints(file, 'Or not.');
	expect(lineHint(both)).toBe('Send it with -f. Or not.');
	expect(replHint(both)).toBe('Attach it with /file. Or not.');
	expect(replHint('Or not.')).toBe('Or not.');
});

test('a notice ends with its hint', () => {
	expect(withHint({message: 'it is too large', hint: file}, lineHint)).toBe(
		'it is too large; Send it with -f',
	);
	expect(withHint({message: 'it is too large'}, lineHint)).toBe('it is too large');
});

test('a list of models is cut after twenty', () => {
	const models = Array.from({length: 23}, (_, index) => `m-${index + 1}`);
	expect(offeredHint(models)).toMatch(
		/^The service offers m-1, .*, m-20, and 3 more; chat models lists them\.$/,
	);
	expect(offeredHint(['a', 'b'])).toBe('The service offers a, b.');
	const long = offeredHint(['x'.repeat(5000), 'b']);
	expect(long).toMatch(/^The service offers x{100}…, b\.$/);
});

test('a port of this machine names the program that it usually belongs to', () => {
	const question = 'Is the service running, and are host and port right?';
	expect(startHint(11_434)).toBe(`${question} To start Ollama: ollama serve`);
	expect(startHint(9)).toBe(question);
	expect(startHint()).toBe(question);
});
