/** Asks questions on a terminal, one below the other. Ctrl-C ends all of them. */
import type {Environment} from '../../environment.ts';
import {type InterruptSignal, interruptedBy} from '../../errors.ts';
import {createStderrWriter} from '../../output/streams.ts';
import {editTextLine, endChords} from '../../repl/keys/edit-line.ts';
import {decideColor, decidePlain} from '../../terminal/capabilities.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {createKeyReader} from '../../terminal/keys/key-reader.ts';
import {joinSafe, type SafeText, safe, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {createStyler, type Styler} from '../../terminal/style.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {plural, wrapLine} from '../../wording.ts';

/** A question as a value: each key makes the next one, or answers it. */
export type Question<Answer> = {
	/** The rows to show, the first one with the question; the cursor is at the end of the last. */
	readonly rows: (size: RowSize) => readonly Row[];
	/** Returns undefined if the key means nothing. */
	readonly next: (key: KeyInput, chord: string) => Step<Answer> | undefined;
	/** Asked in its place where nothing may be redrawn. */
	readonly inLines: LineQuestion<Answer>;
};

/** A question that a whole line answers. */
export type LineQuestion<Answer> = {
	/** The lines to show; the cursor is at the end of the last. They may be any text. */
	readonly lines: readonly string[];
	/** Whether the typed text must not be shown. */
	readonly isSecret: boolean;
	/** Returns the next question if the line, without blanks around it, is not an answer. */
	readonly read: (line: string) => {readonly answer: Answer} | LineQuestion<Answer>;
};

export type RowSize = {
	/** The rows that may be shown, at least 4. */
	readonly height: number;
	/** The cells of a row. */
	readonly width: number;
};

/** Any text: it is cut to the window and made safe. */
export type Row = {readonly text: string; readonly isChosen?: boolean};

export type Step<Answer> =
	| {readonly question: Question<Answer>}
	| {
			readonly answer: Answer;
			/** The row that stays. */
			readonly shown: string;
	  };

export interface Prompter {
	/** Prints a line, which may be any text. */
	say(text: string): Promise<void>;
	/** @throws {ChatError} `interrupted` after Ctrl-C, a signal, or the end of the terminal */
	ask<Answer>(question: Question<Answer>): Promise<Answer>;
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
	let onKey: ((key: KeyInput, chord: string) => void) | undefined;
	const reader = createKeyReader(stdin.read(), {
		onKeys(keys) {
			for (const key of keys) {
				const chord = key.type === 'key' ? chordOf(key) : '';
				if (chord === 'ctrl+c') interrupt('SIGINT');
				else onKey?.(key, chord);
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
	const draw = (rows: readonly Row[], erase: SafeText) => {
		const lines = rows.map((row) => formatRow(row, rowSize().width, style));
		void writer.write(
			joinSafe(
				erase,
				lines.reduce((all, line) => safe`${all}\n${line}`),
			),
		);
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
	const askByKeys = async <Answer>(first: Question<Answer>): Promise<Answer> =>
		await listen((answer) => {
			let question = first;
			let rows: readonly Row[] = [];
			const show = (next: readonly Row[]) => {
				draw(next, eraseRows(rows.length));
				rows = next;
			};
			show(question.rows(rowSize()));
			return (key, chord) => {
				const step = question.next(key, chord);
				if (step === undefined) return;
				if ('answer' in step) {
					show(wrapLine(step.shown, rowSize().width, '').map((text) => ({text})));
					void writer.write(safe`\n`);
					answer(step.answer);
					return;
				}
				question = step.question;
				show(question.rows(rowSize()));
			};
		});
	const askInLines = async <Answer>(first: LineQuestion<Answer>): Promise<Answer> =>
		await listen((answer) => {
			let question = first;
			let typed = '';
			const show = () => {
				stdin.setRawMode?.(question.isSecret);
				const lines = question.lines.map((line) => stripToLine(line));
				const text = lines.reduce((above, line) => safe`${above}\n${line}`);
				void writer.write(safe`${text} `);
			};
			show();
			return (key, chord) => {
				if (!endChords.has(chord)) {
					typed = editTextLine(typed, key) ?? typed;
					return;
				}
				const line = typed.trim();
				if (question.isSecret) void writer.write(describeSecret(line));
				const read = question.read(line);
				typed = '';
				if ('answer' in read) return answer(read.answer);
				question = read;
				show();
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
		ask: (question) => (isPlain ? askInLines(question.inLines) : askByKeys(question)),
		close() {
			reader.stop();
			stdin.setRawMode?.(false);
		},
	};
}

/** The sign that something was typed or pasted. */
function describeSecret({length}: string): SafeText {
	return length === 0 ? safe`\n` : safe`(${stripToLine(plural(length, 'character'))})\n`;
}

/** Goes to the first row. `tmux` would scroll a window away that is erased from its first cell on. */
function eraseRows(count: number): SafeText {
	const above = Array.from({length: Math.max(0, count - 1)}, () => safe`\x1b[A\x1b[2K`);
	return count === 0 ? safe`` : joinSafe(safe`\r\x1b[2K`, ...above);
}

function formatRow({text, isChosen = false}: Row, width: number, style: Styler): SafeText {
	const line = stripUnsafe(truncateToWidth(stripUnsafe(text.replace(/\s/g, ' ')), width));
	return isChosen ? style(line, 'bold') : line;
}
