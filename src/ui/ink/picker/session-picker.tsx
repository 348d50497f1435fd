/** The session picker in React: what to search, the sessions, a preview, the keys. */
import {Box, useCursor} from 'ink';
import {useMemo, useSyncExternalStore} from 'react';
import {layoutPicker} from '../../../repl/list/picker-layout.ts';
import {type PickerState, selectedSession} from '../../../repl/list/picker-state.ts';
import type {Styler} from '../../../terminal/style.ts';
import {Lines} from '../lines.tsx';
import type {Rows} from '../live/frame-input.ts';
import {
	renderDetails,
	renderFooter,
	renderPreview,
	renderQuery,
	renderSessions,
} from './render-picker.ts';

/** The part of a picker that React reads. */
export type PickerSource = {
	getState(): PickerState;
	subscribe(listener: () => void): () => void;
};

export function SessionPicker({picker, style}: {picker: PickerSource; style: Styler}) {
	const state = useSyncExternalStore(picker.subscribe, picker.getState);
	const layout = layoutPicker(state);
	const {height, width, isBeside, previewRows, previewWidth} = layout;
	const query = renderQuery(state, width, style);
	const footer = renderFooter(state, width, style);
	const {setCursorPosition} = useCursor();
	setCursorPosition(
		footer.cursor === undefined ? {x: query.cursor, y: 0} : {x: footer.cursor, y: height - 1},
	);
	const {preview} = state;
	const texts = preview?.id === selectedSession(state)?.id ? preview?.texts : undefined;
	const shown = useMemo(
		() => renderPreview(texts ?? [], previewRows, previewWidth, style),
		[texts, previewRows, previewWidth, style],
	);
	return (
		<Box flexDirection="column" height={height} width={width}>
			<Box height={1} flexShrink={0} justifyContent="space-between">
				<Lines rows={[query.text]} />
				<Lines rows={query.count} />
			</Box>
			<Box flexDirection={isBeside ? 'row' : 'column'} columnGap={2} flexGrow={1}>
				<Part
					height={layout.listRows}
					width={layout.listWidth}
					rows={renderSessions(state, layout, style)}
				/>
				<Part height={previewRows} width={previewWidth} rows={shown} />
			</Box>
			{layout.hasDetails && <Lines rows={[renderDetails(state, width, style)]} />}
			<Lines rows={[footer.text]} />
		</Box>
	);
}

function Part({
	rows,
	...size
}: {
	readonly rows: Rows;
	readonly height: number;
	readonly width: number;
}) {
	return (
		<Box {...size} flexDirection="column" flexShrink={0}>
			<Lines rows={rows} />
		</Box>
	);
}
