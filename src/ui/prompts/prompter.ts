/** Asks questions on a terminal, one below the other. Ctrl-C ends all of them. */
import type {Environment} from '../../environment.ts';
import {type InterruptSignal, interruptedBy} from '../../errors.ts';
import {createStderrWriter} from '../../output/streams.ts';
import {decideColor, decidePlain} from '../../terminal/capabilities.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {createKeyReader} from '../../terminal/keys/key-reader.ts';
import {joinSafe, type SafeText, safe, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {createStyler, type Styler} from '../../terminal/style.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {
	type CommandQuestion,
	drawRows,
	type PromptRow,
	type PromptRows,
	press,
	pressInLine,
	type RowSize,
	spokenLines,
	wrapRows,
} from './command-question.ts';

export interface Prompter {
	/** Prints a line, which may be any text. */
	say(text: string): Promise<void>;
	/** @throws {ChatError} `interrupted` after Ctrl-C, a signal, or the end of the terminal */
	ask<Answer>(question: CommandQuestion<Answer>): Promise<Answer>;
	/** Aborts with the reason of `ask`. */
	readonly signal: AbortSignal;
	interrupt(signal: InterruptSignal): void;
	/** Releases the terminal. */
	close(): void;
}

/** @param isChosen whether the user has chosen plain lines */
export function openPrompter(environment: Environment, isChosen = false): Prompter {
	const {stdin, stderr, terminal, variables} = environment;
	const isPlain = decidePlain(isChosen, variables);
	const writer = createStderrWriter(stderr);
	const style = createStyler({hasColor: decideColor('auto', variables)});
	const interruption = new AbortController();
	const interrupt = (signal: InterruptSignal) => interruption.abort(interruptedBy(signal));
	/** Undefined between two questions: such keys answer nothing. */
	let onKey: ((key: KeyInput) => void) | undefined;
	const reader = createKeyReader(stdin.read(), {
		onKeys(keys) {
			for (const key of keys) {
				if (key.type === 'key' && chordOf(key) === 'ctrl+c') interrupt('SIGINT');
				else onKey?.(key);
			}
		},
		// A terminal that edits lines ends the input at Ctrl-D.
		onEnd: () => interrupt(isPlain ? 'SIGINT' : 'SIGHUP'),
	});
	// Before the first question, so that not even an early key is echoed.
	stdin.setRawMode?.(!isPlain);
	reader.start();
	const rowSize = (): RowSize => {
		const {columns, rows} = terminal?.size() ?? {columns: 80, rows: 24};
		return {height: Math.max(4, rows - 2), width: columns - 1};
	};

	/** @param start shows the question, and returns what a key does */
	const listen = <Answer>(
		start: (answer: (given: Answer) => void) => NonNullable<typeof onKey>,
	): Promise<Answer> => {
		const {signal} = interruption;
		signal.throwIfAborted();
		return new Promise<Answer>((resolve, reject) => {
			const end = () => {
				onKey = undefined;
				signal.removeEventListener('abort', onAbort);
			};
			const onAbort = () => {
				end();
				void writer.write(safe`\n`);
				reject(signal.reason);
			};
			signal.addEventListener('abort', onAbort, {once: true});
			onKey = start((given) => {
				end();
				resolve(given);
			});
		});
	};
	const createScreen = () => {
		let height = 0;
		return ({rows, cellsAfter}: PromptRows) => {
			const lines = joinLines(rows.map((row) => formatRow(row, rowSize().width, style)));
			void writer.write(joinSafe(eraseRows(height), lines, moveLeft(cellsAfter)));
			height = rows.length;
		};
	};
	const askByKeys = <Answer>(first: CommandQuestion<Answer>): Promise<Answer> =>
		listen((answer) => {
			let question = first;
			const show = createScreen();
			show(drawRows(question, rowSize()));
			return (key) => {
				const step = press(question, key);
				if (step === undefined) return;
				if ('question' in step) {
					question = step.question;
					return show(drawRows(question, rowSize()));
				}
				show({rows: wrapRows(step.shown, rowSize().width), cellsAfter: 0});
				void writer.write(safe`\n`);
				answer(step.answer);
			};
		});
	const askInLines = <Answer>(first: CommandQuestion<Answer>): Promise<Answer> =>
		listen((answer) => {
			let question = first;
			const isSecret = first.type === 'text' && first.isSecret;
			stdin.setRawMode?.(isSecret);
			const show = (lines: readonly string[]) => {
				const text = joinLines(lines.map((line) => stripToLine(line)));
				void writer.write(safe`${text} `);
			};
			show(spokenLines(question));
			return (key) => {
				const step = pressInLine(question, key);
				if ('question' in step) {
					question = step.question;
					if (step.lines !== undefined) show(step.lines);
					return;
				}
				if (isSecret) void writer.write(safe`${stripToLine(step.shown)}\n`);
				answer(step.answer);
			};
		});

	return {
		signal: interruption.signal,
		interrupt,
		async say(text) {
			const line = safe`${stripUnsafe(text.replace(/\s/g, ' '))}\n`;
			// A screen reader speaks a line as a whole.
			await (isPlain ? writer.write(line) : writer.writeWords(line));
		},
		ask: async (question) => await (isPlain ? askInLines(question) : askByKeys(question)),
		close() {
			reader.stop();
			stdin.setRawMode?.(false);
		},
	};
}

function joinLines(lines: readonly SafeText[]): SafeText {
	return lines.reduce((all, line) => safe`${all}\n${line}`);
}

function moveLeft(cells: number): SafeText {
	return joinSafe(...Array.from({length: cells}, () => safe`\x1b[D`));
}

/** Goes to the first row. `tmux` would scroll a window away that is erased from its first cell on. */
function eraseRows(count: number): SafeText {
	const above = Array.from({length: Math.max(0, count - 1)}, () => safe`\x1b[A\x1b[2K`);
	return count === 0 ? safe`` : joinSafe(safe`\r\x1b[2K`, ...above);
}

function formatRow({text, isChosen = false}: PromptRow, width: number, style: Styler): SafeText {
	const line = stripUnsafe(truncateToWidth(stripUnsafe(text.replace(/\s/g, ' ')), width));
	return isChosen ? style(line, 'bold') : line;
}
