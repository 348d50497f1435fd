/** The screen in React: the scrollback, and one frame below it. */
import {Static, Transform, useCursor} from 'ink';
import {memo, useInsertionEffect, useSyncExternalStore} from 'react';
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Frame} from './frame-input.ts';
import type {ScreenSource, StaticItem} from './row-store.ts';

type Painting = {
	/** Returns the text drawn for a row of the frame; the row itself by default. */
	readonly paint?: ((row: SafeText) => string) | undefined;
	/** Receives the frame that Ink draws next. */
	readonly onCommit?: ((frame: Frame) => void) | undefined;
};

export function Screen(
	props: {readonly store: ScreenSource; readonly printed?: number} & Painting,
) {
	const {store, printed = 0, ...painting} = props;
	const {items, frame} = useSyncExternalStore(store.subscribe, store.getSnapshot);
	return (
		<>
			<Transcript items={items} printed={printed} />
			<LiveRegion frame={frame} {...painting} />
		</>
	);
}

/** Renders only after an addition: Ink writes static output each time it renders. */
const Transcript = memo(function Transcript({
	items,
	printed,
}: {
	readonly items: readonly StaticItem[];
	readonly printed: number;
}) {
	return (
		<Static items={items.slice(printed)}>{({id, rows}) => <Rows key={id} rows={rows} />}</Static>
	);
});

/**
 * The rows are finished: safe, and not too wide. Ink lays out a blank for each, so that its layout
 * changes only with the number of rows, and gets the row itself when it paints.
 */
function Rows(props: {readonly rows: Frame['rows']} & Pick<Painting, 'paint'>) {
	const {rows, paint = (row) => row} = props;
	return (
		<Transform transform={(blank, place) => paint(rows[place] ?? stripUnsafe(blank))}>
			{rows.map(() => ' ').join('\n')}
		</Transform>
	);
}

export function LiveRegion({frame, paint, onCommit}: {readonly frame: Frame} & Painting) {
	const {setCursorPosition} = useCursor();
	setCursorPosition(frame.cursor);
	// Insertion effects run before Ink draws, other effects after.
	useInsertionEffect(() => onCommit?.(frame), [frame, onCommit]);
	return frame.rows.length === 0 ? null : <Rows rows={frame.rows} paint={paint} />;
}
