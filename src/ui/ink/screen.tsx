/** The screen in React: the scrollback, and the live region below it. */
import {Box, Static, Text} from 'ink';
import {memo, useSyncExternalStore} from 'react';
import {type Frame, noFrame} from './frame-input.ts';
import {textOfRows} from './lines.tsx';
import {LiveRegion} from './live-region.tsx';
import type {ScreenSource, StaticItem} from './row-store.ts';

export function Screen({
	store,
	printed = 0,
	isFolded = false,
	onCommit,
}: {
	readonly store: ScreenSource;
	/** The items that an earlier screen has printed. */
	readonly printed?: number;
	/** Whether nothing is drawn below the scrollback. */
	readonly isFolded?: boolean;
	/** Receives the frame that Ink draws next. */
	readonly onCommit?: ((frame: Frame) => void) | undefined;
}) {
	const {items, frame} = useSyncExternalStore(store.subscribe, store.getSnapshot);
	return (
		<>
			<Transcript items={items} printed={printed} />
			<LiveRegion frame={isFolded ? noFrame : frame} onCommit={onCommit} />
		</>
	);
}

/** Ink leaves lines of code whole; the terminal wraps them, and copies them without line ends. */
const unlimitedWidth = 1_000_000;

/** Renders only after an addition: Ink writes static output each time it renders. */
const Transcript = memo(function Transcript({
	items,
	printed,
}: {
	readonly items: readonly StaticItem[];
	readonly printed: number;
}) {
	return (
		<Static items={items.slice(printed)} style={{width: '100%'}}>
			{({id, rows}) => (
				<Box key={id} width={unlimitedWidth}>
					<Text>{textOfRows(rows)}</Text>
				</Box>
			)}
		</Static>
	);
});
