import {describe, expect, test} from 'vitest';
import {expand} from '../../../src/repl/editor/buffer.ts';
import {insertText} from '../../../src/repl/editor/edit.ts';
import {
	clearIntoHistory,
	type Editor,
	emptyEditor,
	recallNewer,
	recallOlder,
	withOlder,
} from '../../../src/repl/editor/history.ts';

const textOf = ({buffer}: Editor) => expand(buffer);
const type = (editor: Editor, text: string): Editor => ({
	...editor,
	buffer: insertText(editor.buffer, text),
});

const withHistory = (...prompts: readonly string[]): Editor =>
	prompts.reduce((editor, text) => clearIntoHistory(type(editor, text)), emptyEditor);

test('keeps changes to an old prompt while another is shown', () => {
	const changed = type(recallOlder(withHistory('one', 'two')), '!');
	expect(textOf(recallNewer(recallOlder(changed)))).toBe('two!');
	const after = clearIntoHistory(changed);
	expect(textOf(recallOlder(after))).toBe('two!');
	expect(textOf(recallOlder(recallOlder(after)))).toBe('two');
});

test('drops blank texts and repetitions', () => {
	const once = clearIntoHistory(type(emptyEditor, 'same'));
	expect(clearIntoHistory(type(once, 'same')).history.entries.length).toBe(1);
	expect(clearIntoHistory(type(once, ' \n ')).history.entries.length).toBe(1);
	const {history} = withHistory('one', 'two', 'one');
	expect(history.entries.map(({text}) => text)).toEqual(['two', 'one']);
});

describe('the prompts of earlier sessions', () => {
	const older = [
		{text: 'first', attachments: []},
		{text: 'one', attachments: []},
	];
	const textsOf = ({history}: Editor) => history.entries.map(({text}) => text);

	test('come before those of this one, without repetitions', () => {
		expect(textsOf(withOlder(withHistory('one', 'two'), older))).toEqual(['first', 'one', 'two']);
	});

	test('may come while an earlier prompt is shown', () => {
		const shown = recallOlder(type(withHistory('one', 'two'), 'draft'));
		const editor = withOlder(type(shown, '!'), older);
		expect(textOf(editor)).toBe('two!');
		expect(textOf(recallNewer(editor))).toBe('draft');
		expect(textOf(recallOlder(recallOlder(editor)))).toBe('first');
		expect(textOf(recallNewer(recallOlder(editor)))).toBe('two!');
	});
});

test('keeps a draft that was left for an old prompt', () => {
	const recalled = recallOlder(type(withHistory('old', 'older'), 'precious'));
	const cleared = clearIntoHistory(recalled);
	expect(textOf(recallOlder(cleared))).toBe('older');
	expect(textOf(recallOlder(recallOlder(cleared)))).toBe('precious');
	expect(textOf(recallOlder(clearIntoHistory(recallNewer(recalled))))).toBe('precious');
});
