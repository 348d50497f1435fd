import {expect, test} from 'vitest';
import {joinHints, lineHint, replHint} from '../src/hint.ts';
import {offeredHint} from '../src/protocol/list-models.ts';
import {startHint} from '../src/providers.ts';

test('several hints are one line, with a full stop after a command, and words for a session', () => {
	expect(joinHints('Did you mean a?', 'To fix it: chat config edit', 'Or not.')).toBe(
		'Did you mean a? To fix it: chat config edit. Or not.',
	);
	const both = joinHints({line: 'Send it with -f', repl: 'Attach it with /file.'}, 'Or not.');
	expect(lineHint(both)).toBe('Send it with -f. Or not.');
	expect(replHint(both)).toBe('Attach it with /file. Or not.');
});

test('a list of models is cut after twenty, and a name after a hundred characters', () => {
	const models = Array.from({length: 23}, (_, index) => `m-${index + 1}`);
	expect(offeredHint(models)).toMatch(
		/^The service offers m-1, .*, m-20, and 3 more; chat models lists them\.$/,
	);
	const long = offeredHint(['x'.repeat(5000), 'b']);
	expect(long).toMatch(/^The service offers x{100}…, b\.$/);
});

test('a port of this machine names the program that it usually belongs to', () => {
	const question = 'Is the service running, and are host and port right?';
	expect(startHint(11_434)).toBe(`${question} To start Ollama: ollama serve`);
	expect(startHint(9)).toBe(question);
});
