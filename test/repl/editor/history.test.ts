import {expect, test} from 'vitest';
import {expand, moveTo} from '../../../src/repl/editor/buffer.ts';
import {insertPaste, insertText} from '../../../src/repl/editor/edit.ts';
import {
	clearIntoHistory,
	createEditor,
	type Editor,
	moveDown,
	moveUp,
	recallNewer,
	recallOlder,
} from '../../../src/repl/editor/history.ts';

const textOf = ({buffer}: Editor) => expand(buffer);
const type = (editor: Editor, text: string): Editor => ({
	...editor,
	buffer: insertText(editor.buffer, text),
});

test('Up goes through the prompts, Down back to the draft with its cursor', () => {
	const started = type(createEditor(['one', 'two']), 'draft');
	const editor = {...started, buffer: moveTo(started.buffer, {line: 0, column: 2})};
	const newest = moveUp(editor, 80);
	const oldest = moveUp(newest, 80);
	expect([newest, oldest, moveUp(oldest, 80)].map(textOf)).toEqual(['two', 'one', 'one']);
	expect(oldest.buffer.cursor.column).toBe(3);
	const draft = moveDown(moveDown(oldest, 80), 80);
	expect(textOf(draft)).toBe('draft');
	expect(draft.buffer.cursor.column).toBe(2);
	expect(moveDown(draft, 80)).toBe(draft);
});

test('Up and Down move within a text of several rows first', () => {
	const editor = type(createEditor(['one']), 'abcdefgh\nx');
	const inFirst = moveUp(moveUp(editor, 4), 4);
	expect(textOf(inFirst)).toBe('abcdefgh\nx');
	expect(textOf(moveUp(inFirst, 4))).toBe('one');
});

test('what is written in an old prompt stays while another is looked at', () => {
	const changed = type(recallOlder(createEditor(['one', 'two'])), '!');
	expect(textOf(recallNewer(recallOlder(changed)))).toBe('two!');
	const after = clearIntoHistory(changed);
	expect(textOf(recallOlder(after))).toBe('two!');
	expect(textOf(recallOlder(recallOlder(after)))).toBe('two');
});

test('clearing keeps the text in the history and folded pastes folded', () => {
	const text = 'line\n'.repeat(30);
	const editor = createEditor();
	const cleared = clearIntoHistory({...editor, buffer: insertPaste(editor.buffer, text)});
	expect(textOf(cleared)).toBe('');
	const recalled = recallOlder(cleared);
	expect(recalled.buffer.lines.length).toBe(1);
	expect(textOf(recalled)).toBe(text);
});

test('blank texts and repetitions are not kept', () => {
	const once = clearIntoHistory(type(createEditor(), 'same'));
	expect(clearIntoHistory(type(once, 'same')).history.entries.length).toBe(1);
	expect(clearIntoHistory(type(once, ' \n ')).history.entries.length).toBe(1);
	expect(clearIntoHistory(type(once, 'other')).history.entries.length).toBe(2);
});

test('the history holds the newest thousand', () => {
	const prompts = Array.from({length: 1001}, (_, index) => `prompt ${index}`);
	const editor = clearIntoHistory(type(createEditor(prompts), 'newest'));
	expect(editor.history.entries.length).toBe(1000);
	expect(textOf(recallOlder(editor))).toBe('newest');
});

test('a draft that was left for an old prompt is in the history too', () => {
	const recalled = recallOlder(type(createEditor(['old', 'older']), 'precious'));
	const cleared = clearIntoHistory(recalled);
	expect(textOf(recallOlder(cleared))).toBe('older');
	expect(textOf(recallOlder(recallOlder(cleared)))).toBe('precious');
	expect(textOf(recallOlder(clearIntoHistory(recallNewer(recalled))))).toBe('precious');
});
