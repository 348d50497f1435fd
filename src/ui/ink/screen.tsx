/** The screen as React sees it: what is in the scrollback, and one frame below it. */
import {Box, Static, Text, useCursor} from 'ink';
import {memo, useInsertionEffect, useSyncExternalStore} from 'react';
import type {Frame} from './frame.ts';
import type {ScreenStore, StaticItem} from './screen-store.ts';

type OnCommit = (frame: Frame) => void;

/** @param props.onCommit gets the frame that Ink draws next */
export function Screen(props: {readonly store: ScreenStore; readonly onCommit?: OnCommit}) {
	const {store, onCommit} = props;
	const {items, frame} = useSyncExternalStore(store.subscribe, store.getSnapshot);
	return (
		<>
			<Transcript items={items} />
			<LiveRegion frame={frame} onCommit={onCommit} />
		</>
	);
}

/** Renders only when something was added: Ink writes at once whatever it renders as static. */
const Transcript = memo(function Transcript({items}: {readonly items: readonly StaticItem[]}) {
	return <Static items={[...items]}>{({id, rows}) => <Rows key={id} rows={rows} />}</Static>;
});

/**
 * The rows are as wide as they may be; Ink neither wraps nor cuts them. Each is a text of its own,
 * because Ink's work on a text grows faster than its length.
 */
function Rows({rows}: {readonly rows: Frame['rows']}) {
	return (
		<Box flexDirection="column">
			{rows.map((row, place) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a row is whatever stands at its place
				<Text key={place} wrap="truncate">
					{/* A text of nothing would take no row at all. */}
					{row || ' '}
				</Text>
			))}
		</Box>
	);
}

export function LiveRegion(props: {
	readonly frame: Frame;
	readonly onCommit?: OnCommit | undefined;
}) {
	const {frame, onCommit} = props;
	const {setCursorPosition} = useCursor();
	setCursorPosition(frame.cursor);
	// Before Ink draws, which is earlier than other effects.
	useInsertionEffect(() => onCommit?.(frame), [frame, onCommit]);
	return frame.rows.length === 0 ? null : <Rows rows={frame.rows} />;
}
