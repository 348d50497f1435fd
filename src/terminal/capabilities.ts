/** Decides from the environment what a terminal can show. */
import type {Variables} from '../environment.ts';

export type ColorChoice = 'auto' | 'always' | 'never';

/** The first decisive variable wins. */
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

/** Returns the variable deciding about colours; undefined if none does. */
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

/** Returns the variable asking for plain lines; undefined if none does. */
export function findPlainVariable(variables: Variables): string | undefined {
	const {ACCESSIBLE: accessible = '', INK_SCREEN_READER} = variables;
	if (!['', '0', 'false'].includes(accessible)) return 'ACCESSIBLE';
	if (INK_SCREEN_READER === 'true') return 'INK_SCREEN_READER';
	return canDraw(variables) ? undefined : 'TERM';
}

/**
 * The rows a narrowing terminal rewraps: all, in xterm.js fashion, at least those above the cursor,
 * or none.
 */
export type Reflow = 'all' | 'xterm.js' | 'above' | 'none';

type Traits = {
	readonly reflow?: Reflow;
	/** Whether the terminal has OSC 8 links. */
	readonly hasLinks?: boolean | ((variables: Variables) => boolean);
};

/**
 * Terminals by their variables; the first row knowing a trait decides about it. Multiplexers come
 * first: the outer terminal's variables say nothing about what is passed on to it.
 */
const terminals: ReadonlyArray<readonly [variable: string, value: RegExp, traits: Traits]> = [
	['FORCE_HYPERLINK', /^0$/, {hasLinks: false}],
	['FORCE_HYPERLINK', /./, {hasLinks: true}],
	['STY', /./, {reflow: 'none', hasLinks: false}],
	['TMUX', /./, {reflow: 'all', hasLinks: passesLinks}],
	['XTERM_VERSION', /./, {reflow: 'none'}],
	['TERM', /^linux$/, {reflow: 'none'}],
	['TERM_PROGRAM', /^(?:vscode|Hyper|Tabby)$/, {reflow: 'xterm.js', hasLinks: true}],
	['TERM_PROGRAM', /^(?:iTerm\.app|WezTerm|ghostty)$/, {reflow: 'all', hasLinks: true}],
	['TERM_PROGRAM', /^Apple_Terminal$/, {reflow: 'all'}],
	['TERM_PROGRAM', /^rio$/, {hasLinks: true}],
	['TERM', /kitty|alacritty|ghostty|foot|wezterm/, {reflow: 'all', hasLinks: true}],
	['VTE_VERSION', /^[5-9]\d{3}|^\d{5}/, {reflow: 'all', hasLinks: true}],
	['VTE_VERSION', /./, {reflow: 'all'}],
	['WT_SESSION', /./, {hasLinks: true}],
	['KONSOLE_VERSION', /./, {hasLinks: true}],
];

function findTrait<Name extends keyof Traits>(
	name: Name,
	variables: Variables,
): Traits[Name] | undefined {
	const row = terminals.find(([variable, value, traits]) => {
		return traits[name] !== undefined && value.test(variables[variable] ?? '');
	});
	return row?.[2][name];
}

/** Decides from known terminal traits. Erasing too much is worse than leaving a row. */
export function decideReflow(variables: Variables): Reflow {
	return findTrait('reflow', variables) ?? 'above';
}

/** Terminals without known links get the address as text. */
export function decideLinks(variables: Variables): boolean {
	const hasLinks = findTrait('hasLinks', variables) ?? false;
	return typeof hasLinks === 'boolean' ? hasLinks : hasLinks(variables);
}

/** tmux 3.4 and newer pass links on to iTerm2; to others only if their settings say so. */
function passesLinks({TERM_PROGRAM_VERSION: version = '', LC_TERMINAL}: Variables): boolean {
	const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version) ?? [];
	return LC_TERMINAL === 'iTerm2' && Number(major) * 100 + Number(minor) >= 304;
}
