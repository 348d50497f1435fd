/** Colours and links: what is known of a terminal decides, in a fixed order. */
import {describe, expect, test} from 'vitest';
import {
	decideColor,
	decideLinks,
	decidePlain,
	decideReflow,
	type Reflow,
} from '../../src/terminal/capabilities.ts';

type Variables = Readonly<Record<string, string>>;

describe('colour on a terminal', () => {
	const rows: ReadonlyArray<readonly [variables: Variables, hasColor: boolean]> = [
		[{}, true],
		[{TERM: 'dumb'}, false],
		[{NO_COLOR: '1'}, false],
		[{NO_COLOR: ''}, true],
		[{FORCE_COLOR: '0'}, false],
		[{FORCE_COLOR: '1'}, true],
		[{CLICOLOR: '0'}, false],
		[{CLICOLOR_FORCE: '0'}, true],
		[{CLICOLOR_FORCE: '1'}, true],
		// The first of them that is there decides.
		[{NO_COLOR: '1', FORCE_COLOR: '3'}, false],
		[{FORCE_COLOR: '0', CLICOLOR_FORCE: '1'}, false],
		[{FORCE_COLOR: '1', CLICOLOR: '0'}, true],
		[{CLICOLOR_FORCE: '1', CLICOLOR: '0'}, true],
	];

	test.each(rows)('with %j: %s', (variables, hasColor) => {
		expect(decideColor('auto', variables)).toBe(hasColor);
	});

	test.each(rows)('--color comes before %j', (variables) => {
		expect(decideColor('always', variables)).toBe(true);
		expect(decideColor('never', variables)).toBe(false);
	});
});

describe('links', () => {
	const rows: ReadonlyArray<readonly [variables: Variables, hasLinks: boolean]> = [
		[{}, false],
		[{TERM: 'xterm-kitty'}, true],
		[{TERM_PROGRAM: 'iTerm.app'}, true],
		[{TERM_PROGRAM: 'Apple_Terminal'}, false],
		[{VTE_VERSION: '4999'}, false],
		[{VTE_VERSION: '7600'}, true],
		[{WT_SESSION: 'a-b-c'}, true],
		[{KONSOLE_VERSION: '220401'}, true],
		[{FORCE_HYPERLINK: '1'}, true],
		[{FORCE_HYPERLINK: '0', TERM: 'xterm-kitty'}, false],
		[{TMUX: '/tmp/t', TERM_PROGRAM_VERSION: '3.3a', LC_TERMINAL: 'iTerm2'}, false],
		[{TMUX: '/tmp/t', TERM_PROGRAM_VERSION: '3.4', LC_TERMINAL: 'iTerm2'}, true],
		[{TMUX: '/tmp/t', TERM_PROGRAM_VERSION: 'next-3.10', LC_TERMINAL: 'iTerm2'}, true],
		[{STY: '1.pts', VTE_VERSION: '7600'}, false],
	];

	test.each(rows)('with %j: %s', (variables, hasLinks) => {
		expect(decideLinks(variables)).toBe(hasLinks);
	});
});

describe('rewrapping', () => {
	const rows: ReadonlyArray<readonly [variables: Variables, reflow: Reflow]> = [
		[{}, 'above'],
		[{TERM: 'xterm-256color', TERM_PROGRAM: 'vscode'}, 'xterm.js'],
		[{TERM: 'xterm-256color', VTE_VERSION: '7600'}, 'all'],
		[{TERM: 'xterm-256color', XTERM_VERSION: 'XTerm(390)'}, 'none'],
		[{TERM: 'linux'}, 'none'],
		[{TERM: 'screen-256color', TMUX: '/tmp/tmux,1,0', XTERM_VERSION: 'XTerm(390)'}, 'all'],
	];

	test.each(rows)('with %j: %s', (variables, reflow) => {
		expect(decideReflow(variables)).toBe(reflow);
	});
});

test.each([
	[{}, false],
	[{TERM: 'dumb'}, true],
	[{TERM: 'dumb-emacs-ansi'}, true],
	[{ACCESSIBLE: '1'}, true],
	[{ACCESSIBLE: '0'}, false],
	[{INK_SCREEN_READER: 'true'}, true],
])('%o means plain lines: %s', (variables, isPlain) => {
	expect(decidePlain(false, variables)).toBe(isPlain);
	expect(decidePlain(true, variables)).toBe(true);
});
