/** Decides from the environment what a terminal can show. */
import type {Variables} from '../environment.ts';

export type ColorChoice = 'auto' | 'always' | 'never';

const isSet = (text: string | undefined) => text !== undefined && text !== '';

/** The first variable that is set and decides wins. */
const colorRules: ReadonlyArray<readonly [name: string, (value: string) => boolean | undefined]> = [
	['NO_COLOR', () => false],
	['FORCE_COLOR', (force) => force !== '0' && force !== 'false'],
	['CLICOLOR_FORCE', (force) => (force === '0' ? undefined : true)],
	['CLICOLOR', (color) => (color === '0' ? false : undefined)],
	['TERM', (term) => (term.startsWith('dumb') ? false : undefined)],
];

/** Decides about colours only: bold, dim and underlined text is always there. */
export function decideColor(choice: ColorChoice, variables: Variables): boolean {
	if (choice !== 'auto') return choice === 'always';
	return findColorRule(variables)?.hasColor ?? true;
}

/** Returns the variable that decides about colours; undefined if none does. */
export function findColorRule(
	variables: Variables,
): {readonly name: string; readonly hasColor: boolean} | undefined {
	for (const [name, decide] of colorRules) {
		const {[name]: value = ''} = variables;
		const hasColor = value === '' ? undefined : decide(value);
		if (hasColor !== undefined) return {name, hasColor};
	}
	return undefined;
}

/** Whether the cursor can be moved: not on `dumb` and its kin, such as `dumb-emacs-ansi`. */
export function canDraw({TERM = ''}: Variables): boolean {
	return !TERM.startsWith('dumb');
}

/** Whether a session or an answer is plain lines: by choice, for a screen reader, or on a dumb terminal. */
export function decidePlain(isChosen: boolean, variables: Variables): boolean {
	return isChosen || findPlainVariable(variables) !== undefined;
}

/** Returns the variable that asks for plain lines; undefined if none does. */
export function findPlainVariable(variables: Variables): string | undefined {
	const {ACCESSIBLE: accessible = '', INK_SCREEN_READER} = variables;
	if (!['', '0', 'false'].includes(accessible)) return 'ACCESSIBLE';
	if (INK_SCREEN_READER === 'true') return 'INK_SCREEN_READER';
	return canDraw(variables) ? undefined : 'TERM';
}

/**
 * The rows that a terminal rewraps when it gets narrower: all, in the way of xterm.js, at least those
 * above the cursor, or none.
 */
export type Reflow = 'all' | 'xterm.js' | 'above' | 'none';

const usersOfXtermJs = ['vscode', 'Hyper', 'Tabby'];
const rewrappers = ['iTerm.app', 'Apple_Terminal', 'WezTerm', 'ghostty'];

/** Decides by what is known of a terminal. Erasing too much is worse than leaving a row. */
export function decideReflow(variables: Variables): Reflow {
	const {TMUX, STY, XTERM_VERSION, TERM = '', TERM_PROGRAM = '', VTE_VERSION} = variables;
	if (isSet(TMUX)) return 'all';
	if (isSet(STY) || isSet(XTERM_VERSION) || TERM === 'linux') return 'none';
	if (usersOfXtermJs.includes(TERM_PROGRAM)) return 'xterm.js';
	const isKnown = /kitty|alacritty|ghostty|foot|wezterm/.test(TERM) || isSet(VTE_VERSION);
	return isKnown || rewrappers.includes(TERM_PROGRAM) ? 'all' : 'above';
}

const linkPrograms = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'];

/** Terminals known to support OSC 8 links; the others get the address as text. */
export function decideLinks(variables: Variables): boolean {
	const {TERM: term = '', TERM_PROGRAM: program = '', VTE_VERSION: vte = '0'} = variables;
	if (isSet(variables['FORCE_HYPERLINK'])) return variables['FORCE_HYPERLINK'] !== '0';
	// The variables of the terminal outside say nothing about what is passed on to it.
	if (isSet(variables['STY'])) return false;
	if (isSet(variables['TMUX'])) return passesLinks(variables);
	return (
		linkPrograms.includes(program) ||
		/kitty|alacritty|ghostty|foot|wezterm/.test(term) ||
		Number(vte) >= 5000 ||
		isSet(variables['WT_SESSION']) ||
		isSet(variables['KONSOLE_VERSION'])
	);
}

/** From 3.4 on, tmux passes links on to iTerm2; to others only if its settings say so. */
function passesLinks({TERM_PROGRAM_VERSION: version = '', LC_TERMINAL}: Variables): boolean {
	const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version) ?? [];
	return LC_TERMINAL === 'iTerm2' && Number(major) * 100 + Number(minor) >= 304;
}
