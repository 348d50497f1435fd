/** The screen in React: the scrollback, and the live region below it. */
import {Box, Static, Text} from 'ink';
import {memo, useLayoutEffect, useSyncExternalStore} from 'react';
import {textOfRows} from './lines.tsx';
import {type Frame, noFrame} from './live/frame-input.ts';
import {LiveRegion} from './live/live-region.tsx';
import type {ScreenSource, StaticItem} from './screen-store.ts';

export function Screen({
	store,
	first = 0,
	isFolded = false,
	onCommit,
}: {
	readonly store: ScreenSource;
	/** The first item to print, by id: an earlier screen has printed those before it. */
	readonly first?: number;
	/** Whether nothing is drawn below the scrollback. */
	readonly isFolded?: boolean;
	/** Receives the frame Ink draws next. */
	readonly onCommit?: ((frame: Frame) => void) | undefined;
}) {
	const {items, frame} = useSyncExternalStore(store.subscribe, store.getSnapshot);
	return (
		<>
			<Transcript items={items} first={first} onWritten={store.releaseItems} />
			<LiveRegion frame={isFolded ? noFrame : frame} onCommit={onCommit} />
		</>
	);
}

/** Ink leaves code lines whole; the terminal wraps them, and copies them without line ends. */
const unlimitedWidth = 1_000_000;

/**
 * Renders only after an addition: Ink writes static output on each render. The key makes Ink forget
 * its writes, sparing time and memory for old rows.
 */
const Transcript = memo(function Transcript({
	items,
	first,
	onWritten,
}: {
	readonly items: readonly StaticItem[];
	readonly first: number;
	readonly onWritten: (items: readonly StaticItem[]) => void;
}) {
	// Layout effects run after Ink has written.
	useLayoutEffect(() => onWritten(items), [items, onWritten]);
	return (
		<Static key={items[0]?.id} items={items.filter(({id}) => id >= first)} style={{width: '100%'}}>
			{({id, rows}) => (
				<Box key={id} width={unlimitedWidth}>
					<Text>{textOfRows(rows)}</Text>
				</Box>
			)}
		</Static>
	);
});
