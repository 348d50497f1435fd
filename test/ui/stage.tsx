/** The screen of a session without a terminal: actions go in, rows come out. */
import {renderToString} from 'ink';
import {liveRows} from '../../src/repl/geometry.ts';
import {reduce} from '../../src/repl/reduce.ts';
import type {ReplSettings, ReplState} from '../../src/repl/state.ts';
import {stripUnsafe} from '../../src/terminal/safe-text.ts';
import {textWidth} from '../../src/terminal/width.ts';
import {
	type Frame,
	heightOfPrompt,
	heightOfQuestion,
	heightOfTurn,
} from '../../src/ui/ink/live/frame-input.ts';
import {LiveRegion} from '../../src/ui/ink/live/live-region.tsx';
import {Screen} from '../../src/ui/ink/screen.tsx';
import {
	createScreenStore,
	type ScreenOptions,
	type ScreenStore,
} from '../../src/ui/ink/screen-store.ts';
import {showAction} from '../../src/ui/run.ts';
import {faultsOfStyle} from '../helpers/style-faults.ts';
import {actionOf, begin, nextStamp, type Step} from '../repl/play.ts';

export interface Stage {
	readonly store: ScreenStore;
	play(...steps: readonly Step[]): Stage;
	state(): ReplState;
	frame(): Frame;
	/** The rows of the live region as Ink draws them, without styles, rules and the gaps of `rhythm.ts`. */
	rows(): readonly string[];
	/** The same with rules and gaps. */
	allRows(): readonly string[];
	/** All rows, with styles. */
	styledRows(): readonly string[];
	/** The rows that went into the scrollback, without styles. */
	committed(): readonly string[];
	/** All that Ink draws, the scrollback as well. */
	drawnWhole(): readonly string[];
	/** Returns the faults of the live region and of the rows added since, one line each. */
	faults(): readonly string[];
}

export function openStage(
	settings: Partial<ReplSettings> = {},
	options: Partial<ScreenOptions> = {},
): Stage {
	let state = begin(settings);
	const store = createScreenStore(() => state, {
		hasColor: false,
		hasLinks: false,
		redact: (text) => text,
		...options,
	});
	const frame = () => store.getSnapshot().frame;
	let checked = 0;
	const newItems = () => {
		const {items} = store.getSnapshot();
		const fresh = items.slice(checked).flatMap(({rows}) => rows);
		checked = items.length;
		return fresh;
	};
	const draw = (tree: React.ReactNode) => {
		const text = renderToString(tree, {columns: state.columns});
		return text === '' ? [] : text.split('\n');
	};
	const drawnRows = () => draw(<LiveRegion frame={frame()} />);
	const stage: Stage = {
		store,
		play(...steps) {
			for (const step of steps) {
				const action = actionOf(state, step);
				const next = reduce(state, action, nextStamp(state));
				state = next.state;
				showAction(store, action, next.effects);
			}
			return stage;
		},
		state: () => state,
		frame,
		rows: () => {
			const empty = emptyRows(frame());
			return stage.allRows().filter((_, y) => !empty.has(y));
		},
		allRows: () => drawnRows().map((row) => stripUnsafe(row)),
		styledRows: drawnRows,
		committed: () =>
			store.getSnapshot().items.flatMap(({rows}) => rows.map((row) => stripUnsafe(row))),
		drawnWhole: () => draw(<Screen store={store} />).map((row) => stripUnsafe(row)),
		faults: () => {
			const rows = drawnRows();
			return [
				...faultsOfHeight(rows, frame(), state),
				...[...newItems(), ...rows].flatMap((row) => [...faultsOfRow(row), ...faultsOfStyle(row)]),
				...rows.flatMap((row) => faultsOfWidth(row, state)),
				...faultsOfCursor(rows, frame(), state),
			];
		},
	};
	return stage;
}

/** Returns the places of the gaps and rules. */
function emptyRows({apart, turn, question, notices, prompt}: Frame): ReadonlySet<number> {
	const rows = new Set<number>();
	let y = 0;
	const parts = [
		['turn', heightOfTurn(turn)],
		['question', heightOfQuestion(question)],
		['notices', notices.length],
		['prompt', heightOfPrompt(prompt)],
	] as const;
	for (const [part, height] of parts) {
		if (apart.has(part)) rows.add(y++);
		y += height;
	}
	if (!prompt.hasRules) return rows;
	return rows.add(y - prompt.rows.length - 2).add(y - 1);
}

function faultsOfHeight(
	rows: readonly string[],
	{turn, question, notices, prompt, popup, status, apart}: Frame,
	state: ReplState,
): readonly string[] {
	const allowed = liveRows(state);
	const parts = [notices, popup, status].reduce((sum, part) => sum + part.length, 0);
	const divided =
		heightOfTurn(turn) + heightOfPrompt(prompt) + heightOfQuestion(question) + parts + apart.size;
	return [
		...(rows.length > allowed ? [`${rows.length} rows where ${allowed} are allowed`] : []),
		...(rows.length === divided ? [] : [`${rows.length} rows, divided into ${divided}`]),
	];
}

function faultsOfRow(row: string): readonly string[] {
	const text = stripUnsafe(row);
	return /[\n\t]/.test(text) ? [`a line end or a tab in a row: ${JSON.stringify(text)}`] : [];
}

/** Returns the fault of a row of the frame; in the scrollback some may be wider. */
function faultsOfWidth(row: string, {columns}: ReplState): readonly string[] {
	const text = stripUnsafe(row);
	return textWidth(text) > columns ? [`more than ${columns} cells: ${text}`] : [];
}

function faultsOfCursor(
	rows: readonly string[],
	{cursor}: Frame,
	{columns}: ReplState,
): readonly string[] {
	if (cursor === undefined) return [];
	const isInside = cursor.x >= 0 && cursor.x < columns && cursor.y >= 0 && cursor.y < rows.length;
	return isInside ? [] : [`the cursor is outside, at ${cursor.x}, ${cursor.y}`];
}

/** The cells before the first bar of each row that has one. */
export function barColumns(rows: readonly string[]): readonly number[] {
	return rows
		.filter((row) => row.includes('│'))
		.map((row) => textWidth(row.slice(0, row.indexOf('│'))));
}
