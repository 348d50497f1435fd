/** Decides from the environment what a terminal can show. */

export type ColorChoice = 'auto' | 'always' | 'never';

type Variables = Readonly<Record<string, string | undefined>>;

type ColorRule = (variables: Variables) => boolean | undefined;

const isSet = (text: string | undefined) => text !== undefined && text !== '';

/** The first rule with an answer wins; `--color` comes before them all. */
const colorRules: readonly ColorRule[] = [
	(variables) => (isSet(variables['NO_COLOR']) ? false : undefined),
	({FORCE_COLOR: force}) => {
		if (!isSet(force)) return undefined;
		return force !== '0' && force !== 'false';
	},
	({CLICOLOR_FORCE: force}) => (isSet(force) && force !== '0' ? true : undefined),
	({CLICOLOR: color}) => (color === '0' ? false : undefined),
	({TERM: term}) => (term === 'dumb' ? false : undefined),
];

/** Decides about colours only: bold, dim and underlined text is always there. */
export function decideColor(choice: ColorChoice, variables: Variables): boolean {
	if (choice !== 'auto') return choice === 'always';
	for (const rule of colorRules) {
		const decision = rule(variables);
		if (decision !== undefined) return decision;
	}
	return true;
}

/** Whether the cursor can be moved; a dumb terminal gets plain lines. */
export function canDraw(variables: Variables): boolean {
	return variables['TERM'] !== 'dumb';
}

/**
 * Whether the terminal rewraps its rows when it gets narrower. Most do. Where rows are cut off
 * instead, a wrong guess would erase too much.
 */
export function decideReflow({TMUX, STY, XTERM_VERSION, TERM}: Variables): boolean {
	if (isSet(TMUX)) return true;
	return !isSet(STY) && !isSet(XTERM_VERSION) && TERM !== 'linux';
}

const linkPrograms = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'];

/** Terminals known to support OSC 8 links; the others get the address as text. */
export function decideLinks(variables: Variables): boolean {
	const {TERM: term = '', TERM_PROGRAM: program = '', VTE_VERSION: vte = '0'} = variables;
	if (isSet(variables['FORCE_HYPERLINK'])) return variables['FORCE_HYPERLINK'] !== '0';
	return (
		linkPrograms.includes(program) ||
		/kitty|alacritty|ghostty|foot|wezterm/.test(term) ||
		Number(vte) >= 5000 ||
		isSet(variables['WT_SESSION']) ||
		isSet(variables['KONSOLE_VERSION'])
	);
}
