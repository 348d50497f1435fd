/** Runs the session picker in the alternate screen, and restores the terminal. */
import type {Terminal} from '../../../environment.ts';
import {openPicker, type PickerServices} from '../../../repl/list/picker.ts';
import {createPickerState} from '../../../repl/list/picker-state.ts';
import {createStyler} from '../../../terminal/style.ts';
import {createInkOutput, renderInk} from '../mount/ink-output.ts';
import type {ListenToKeys} from '../mount/read-keys.ts';
import {SessionPicker} from './session-picker.tsx';

export type PickerScreen = {
	readonly services: Omit<PickerServices, 'suspend'>;
	readonly terminal: Terminal;
	/** Passes keys on until the returned function is called, which may change the modes of the terminal. */
	readonly listen: ListenToKeys;
	readonly hasColor: boolean;
	/** The folder whose sessions are listed first. */
	readonly cwd: string;
	/** The wall clock, in milliseconds since 1970. */
	readonly date: number;
	/** Ends the picker from outside. */
	readonly signal: AbortSignal;
};

// Without line wrap, a row stays one even if the terminal finds its characters wider than we do.
const stopWrapping = '\u001b[?7l';
const wrapAgain = '\u001b[?7h';
const leaveAlternateScreen = `${wrapAgain}\u001b[?1049l\u001b[?25h`;

/** Returns the id of the session to resume; undefined if the user leaves, or when the signal aborts. */
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
		// Ink would draw or erase a frame later, on the screen that it left.
		instance.unmount();
		return leaveAlternateScreen;
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
