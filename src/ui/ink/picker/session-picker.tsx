/** The session picker in React: what to search, the sessions, a preview, the keys. */
import {Box, Text, useCursor} from 'ink';
import {useMemo, useSyncExternalStore} from 'react';
import {windowOf} from '../../../repl/list/list.ts';
import {layoutPicker, type PickerLayout} from '../../../repl/list/picker-layout.ts';
import {type PickerHit, type PickerState, selectedPlace} from '../../../repl/list/picker-state.ts';
import {joinSafe, type SafeText, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {textWidth} from '../../../terminal/width.ts';
import {Lines} from '../lines.tsx';
import {fitLine} from '../wrap-text.ts';
import {
	describeNothing,
	describeScope,
	renderDeleteQuestion,
	renderDetails,
	renderField,
	renderHints,
	renderHit,
	renderPreview,
} from './picker-texts.ts';

/** The part of a picker that React reads. */
export type PickerSource = {
	getState(): PickerState;
	subscribe(listener: () => void): () => void;
};

type Shown = {
	readonly state: PickerState;
	readonly layout: PickerLayout;
	readonly style: Styler;
	/** Of several components with a cursor, Ink would take the last one's. */
	readonly setCursor: ReturnType<typeof useCursor>['setCursorPosition'];
};

export function SessionPicker({picker, style}: {picker: PickerSource; style: Styler}) {
	const state = useSyncExternalStore(picker.subscribe, picker.getState);
	const layout = layoutPicker(state);
	const {height, width, hasDetails, preview} = layout;
	const {setCursorPosition: setCursor} = useCursor();
	const shown = {state, layout, style, setCursor};
	const selected = state.hits[selectedPlace(state)];
	return (
		<Box flexDirection="column" height={height} width={width}>
			<Query {...shown} />
			<Box flexDirection={preview?.isBeside ? 'row' : 'column'} columnGap={2} flexGrow={1}>
				<SessionList {...shown} />
				{preview === undefined ? null : <Preview {...shown} />}
			</Box>
			{hasDetails ? <Details selected={selected} {...shown} /> : null}
			<Footer {...shown} />
		</Box>
	);
}

/** One row. */
function Row({children}: {readonly children: SafeText}) {
	return (
		<Box height={1} flexShrink={0}>
			<Text wrap="truncate">{children === '' ? ' ' : children}</Text>
		</Box>
	);
}

/** The line of the query, with the number of sessions at its end if there is room. */
function Query({state, layout: {width}, style, setCursor}: Shown) {
	const count = fitLine(describeScope(state), width);
	const room = width - textWidth(count) - 2;
	const hasCount = room >= 16;
	const {text, cursor} = renderField('search:', state.query, hasCount ? room : width, style);
	if (state.mode.type === 'browse') setCursor({x: cursor, y: 0});
	return (
		<Box height={1} justifyContent="space-between">
			<Row>{text}</Row>
			{hasCount ? <Row>{style(count, 'quiet')}</Row> : null}
		</Box>
	);
}

/** The sessions around the selected one. */
function SessionList({state, layout: {listRows, listWidth}, style}: Shown) {
	const {hits, date} = state;
	const list = {items: hits, selected: selectedPlace(state)};
	const width = Math.max(1, listWidth - 2);
	return (
		<Box flexDirection="column" width={listWidth} height={listRows} flexShrink={0}>
			{hits.length === 0 ? (
				<Row>{style(fitLine(describeNothing(state), listWidth), 'hint')}</Row>
			) : (
				windowOf(list, listRows).map(({item: hit, mark, isSelected}) => {
					const row = renderHit(hit, {width, date, style});
					const whole = joinSafe(stripUnsafe(mark), row);
					return <Row key={hit.session.id}>{isSelected ? style(whole, 'reverse') : whole}</Row>;
				})
			)}
		</Box>
	);
}

/** The last rows of the selected session. */
function Preview({state, layout, style}: Shown) {
	const {selectedId, preview} = state;
	const {rows = 0, width = 1} = layout.preview ?? {};
	const texts = preview?.id === selectedId ? preview?.texts : undefined;
	const shown = useMemo(
		() => renderPreview(texts ?? [], {rows: rows - 1, width, style}),
		[texts, rows, width, style],
	);
	return (
		<Box flexDirection="column" width={width} height={rows} flexShrink={0}>
			<Row>{style(stripUnsafe('─'.repeat(width)), 'quiet')}</Row>
			<Lines rows={shown} />
		</Box>
	);
}

function Details({selected, layout: {width}, style}: Shown & {selected: PickerHit | undefined}) {
	return (
		<Row>
			{style(selected === undefined ? stripUnsafe('') : renderDetails(selected, width), 'hint')}
		</Row>
	);
}

/** The keys, or what is asked. */
function Footer({state, layout: {height, width}, style, setCursor}: Shown) {
	const {mode, notice} = state;
	const y = height - 1;
	switch (mode.type) {
		case 'browse':
			return notice === undefined ? (
				<Row>{style(renderHints(state, width), 'hint')}</Row>
			) : (
				<Row>{style(fitLine(notice, width), 'error')}</Row>
			);
		case 'rename': {
			const {text, cursor} = renderField('title:', mode.field.buffer, width, style);
			setCursor({x: cursor, y});
			return <Row>{text}</Row>;
		}
		case 'delete': {
			const question = renderDeleteQuestion(mode.session.title, width);
			setCursor({x: Math.min(width, textWidth(question) + 1), y});
			return <Row>{style(question, mode.isArmed ? 'bold' : 'quiet')}</Row>;
		}
		default:
			return mode satisfies never;
	}
}
