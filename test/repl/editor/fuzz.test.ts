import {expect} from 'vitest';
import {type EditorBuffer, emptyBuffer, expand} from '../../../src/repl/editor/buffer.ts';
import {
	type EditorCommand,
	runEditorCommand,
	textField,
} from '../../../src/repl/editor/change-editor.ts';
import {insertPaste, insertText} from '../../../src/repl/editor/edit.ts';
import {fuzz} from '../../helpers/fuzz.ts';
import {createSeededRandom} from '../../helpers/seeded-random.ts';
import {
	createModel,
	expandModel,
	insert,
	insertPlaceholder,
	type Model,
	modelCommands,
} from './model.ts';

const texts = [
	...['a', 'b', 'hello world', '  ', "can't", 'foo.bar', '\t', '\n', '\n\n', 'ä', 'e', '\u0301'],
	...'日 日本語です สวัสดี が \u3099 👍 🏽 👩‍👩‍👧 👩 \u200d 🇩 🇪 🇩🇪'.split(' '),
	...['\ufe0f', '\u0600', 'क', '\u094d', 'त', '\u1100', '\u1161', 'один', '…', '12,5', '_'],
];

const commandNames = Object.keys(modelCommands) as EditorCommand[];

/** Returns a random integer from 0 to below the limit. */
type Random = (limit: number) => number;

type Pair = {readonly buffer: EditorBuffer; readonly model: Model};

/** Applies a random step to both; the model is changed in place. */
function takeStep({buffer, model}: Pair, random: Random) {
	const kind = random(100);
	if (kind < 40) {
		const text = texts[random(texts.length)] ?? '';
		insert(model, text);
		return insertText(buffer, text);
	}
	if (kind === 40 && model.pastes.size < 15) {
		const text = 'line\n'.repeat(11 + random(3));
		insertPlaceholder(model, text);
		return insertPaste(buffer, text);
	}
	const name = commandNames[random(commandNames.length)] ?? 'move-left';
	modelCommands[name]?.(model);
	return runEditorCommand(textField(buffer), name).buffer;
}

function offsetOf({lines, cursor}: EditorBuffer): number {
	const before = lines.slice(0, cursor.line).reduce((length, line) => length + line.length + 1, 0);
	return before + cursor.column;
}

fuzz('random steps agree with a simple model', (seed) => {
	const draw = createSeededRandom(seed);
	const random: Random = (limit) => draw(0, limit - 1);
	let pair: Pair = {buffer: emptyBuffer, model: createModel()};
	for (let step = 0; step < 500; step += 1) {
		const buffer = takeStep(pair, random);
		pair = {buffer, model: pair.model};
		if (offsetOf(buffer) !== pair.model.cursor) {
			expect({step, cursor: offsetOf(buffer), lines: buffer.lines}).toEqual(pair.model);
		}
		if (step % 25 === 0) expect(expand(buffer)).toBe(expandModel(pair.model));
		if (pair.model.text.length > 120) pair = {buffer: emptyBuffer, model: createModel()};
	}
});
