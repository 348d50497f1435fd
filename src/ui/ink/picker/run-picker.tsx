/** Runs the session picker in the alternate screen, and restores the terminal. */
import {Box, useCursor} from 'ink';
import {useMemo, useSyncExternalStore} from 'react';
import type {Terminal} from '../../../environment.ts';
import {openPicker, type Picker, type PickerServices} from '../../../repl/list/picker.ts';
import {createPickerState, layoutPicker, selectedSession} from '../../../repl/list/picker-state.ts';
import {createStyler, type Styler} from '../../../terminal/style.ts';
import {Lines} from '../lines.tsx';
import {createInkOutput, leaveScreen, renderInk} from '../mount/ink-output.ts';
import type {ListenToKeys} from '../mount/read-keys.ts';
import {
	renderDetails,
	renderFooter,
	renderPreview,
	renderQuery,
	renderSessions,
} from './render-picker.ts';

type PickerProps = {
	readonly picker: Pick<Picker, 'getState' | 'subscribe'>;
	readonly style: Styler;
};

/** Shows what to search, the sessions, a preview, and the keys. */
export function SessionPicker({picker, style}: PickerProps) {
	const state = useSyncExternalStore(picker.subscribe, picker.getState);
	const layout = layoutPicker(state);
	const {height, width, isBeside, listRows, listWidth, previewRows, previewWidth} = layout;
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
				<Box height={listRows} width={listWidth} {...column}>
					<Lines rows={renderSessions(state, layout, style)} />
				</Box>
				<Box height={previewRows} width={previewWidth} {...column}>
					<Lines rows={shown} />
				</Box>
			</Box>
			{layout.hasDetails && <Lines rows={[renderDetails(state, width, style)]} />}
			<Lines rows={[footer.text]} />
		</Box>
	);
}

const column = {flexDirection: 'column', flexShrink: 0} as const;

export type PickerScreen = {
	readonly services: Omit<PickerServices, 'suspend'>;
	readonly terminal: Terminal;
	/**
	 * Passes keys on until calling the returned function, which may change the terminal's modes.
	 */
	readonly listen: ListenToKeys;
	readonly hasColor: boolean;
	/** The folder whose sessions come first. */
	readonly cwd: string;
	/** The wall clock, in milliseconds since 1970. */
	readonly date: number;
	/** Ends the picker from outside. */
	readonly signal: AbortSignal;
};

// Without line wrap, a row stays one even if the terminal finds its characters wider than we do.
const stopWrapping = '\u001b[?7l';
const wrapAgain = '\u001b[?7h';
// Erases nothing: Ink may have left already.
const leave = `${wrapAgain}${leaveScreen}\u001b[?25h`;

/** Returns the chosen session's id; undefined when the user leaves or the signal aborts. */
export async function runPicker(screen: PickerScreen): Promise<string | undefined> {
	const {services, terminal, listen, hasColor, cwd, date, signal} = screen;
	const picker = openPicker(createPickerState({cwd, date, ...terminal.size()}), {
		...services,
		suspend: () => terminal.suspend(),
	});
	const stopListening = listen((keys) => picker.dispatch({type: 'keys', keys}));
	const stopResizing = terminal.onResize((size) => picker.dispatch({type: 'resize', ...size}));
	const close = () => picker.close();
	signal.addEventListener('abort', close, {once: true});
	if (signal.aborted) close();
	const mount = () => {
		terminal.output.write(stopWrapping);
		const view = <SessionPicker picker={picker} style={createStyler({hasColor})} />;
		const {stream} = createInkOutput(terminal.output);
		return renderInk(view, stream, {maxFps: 60, alternateScreen: true});
	};
	let instance = mount();
	const forgetExit = terminal.onExit(() => {
		// Otherwise Ink would draw or erase a frame later, on the screen it left.
		instance.unmount();
		return leave;
	});
	const release = async () => {
		instance.unmount();
		await instance.waitUntilExit();
		terminal.output.write(wrapAgain);
	};
	const removeUser = terminal.addUser({
		release,
		take() {
			picker.dispatch({type: 'terminal-taken'});
			instance = mount();
		},
	});
	try {
		return await picker.closed;
	} finally {
		signal.removeEventListener('abort', close);
		stopResizing();
		removeUser();
		await release();
		forgetExit();
		stopListening();
	}
}
