/**
 * Sequences asking the terminal for more than showing text. They pass through tmux and GNU screen.
 */
import type {Variables} from '../environment.ts';
import {canDraw} from './capabilities.ts';
import {joinSafe, type SafeText, safe, stripUnsafe} from './safe-text.ts';

/** Largest clipboard text: many terminals drop a sequence exceeding 100,000 bytes. */
export const maxClipboardBytes = 74_994;

/** Puts a text into the terminal's clipboard; the terminal may refuse silently. */
export function clipboardSequence(text: string, variables: Variables): SafeText {
	const payload = stripUnsafe(Buffer.from(text).toString('base64'));
	return createOsc(safe`52;c;${payload}`, variables);
}

export const bell = safe`\x07`;

/** Fixed texts: a terminal may act on a notification. */
const notifications = {
	answer: safe`chat: the answer is ready`,
	failure: safe`chat: the answer failed`,
	question: safe`chat: a tool call waits for approval`,
	elicitation: safe`chat: a server asks for an answer`,
} as const;

export type Notification = keyof typeof notifications;

/** Terminals showing notifications; the others ring. Windows Terminal has them off by default. */
const notifiers: ReadonlyArray<
	readonly [isThere: (variables: Variables) => boolean, body: (text: SafeText) => SafeText]
> = [
	[({KITTY_WINDOW_ID, TERM}) => Boolean(KITTY_WINDOW_ID) || TERM === 'xterm-kitty', kittyBody],
	[({TERM_PROGRAM}) => TERM_PROGRAM === 'ghostty', notifyBody],
	[({TERM = ''}) => /^(?:foot|rxvt-unicode|xterm-ghostty)/.test(TERM), notifyBody],
	[({LC_TERMINAL}) => LC_TERMINAL === 'iTerm2', growlBody],
	[({TERM_PROGRAM = ''}) => ['iTerm.app', 'WezTerm'].includes(TERM_PROGRAM), growlBody],
];

function kittyBody(text: SafeText): SafeText {
	return safe`99;;${text}`;
}

function notifyBody(text: SafeText): SafeText {
	return safe`777;notify;chat;${text}`;
}

function growlBody(text: SafeText): SafeText {
	return safe`9;${text}`;
}

export function notificationSequence(notification: Notification, variables: Variables): SafeText {
	const body = notifiers.find(([isThere]) => isThere(variables))?.[1];
	// A dumb terminal, such as Emacs, may run in one of them.
	if (body === undefined || !canDraw(variables)) return bell;
	const sequence = createOsc(body(notifications[notification]), variables);
	// tmux may not pass it on, but marks the ringing window.
	return variables['TMUX'] ? joinSafe(sequence, bell) : sequence;
}

/** GNU screen drops longer strings. */
const maxPieceLength = 240;

/** tmux passes it on only with `allow-passthrough`. */
function createOsc(body: SafeText, {TMUX, STY}: Variables): SafeText {
	if (TMUX) return safe`\x1bPtmux;\x1b\x1b]${body}\x07\x1b\\`;
	if (!STY) return safe`\x1b]${body}\x07`;
	const count = Math.ceil(body.length / maxPieceLength);
	const pieces = Array.from({length: count}, (_, index) => {
		const start = index * maxPieceLength;
		return safe`\x1bP${stripUnsafe(body.slice(start, start + maxPieceLength))}\x1b\\`;
	});
	return joinSafe(safe`\x1bP\x1b]\x1b\\`, ...pieces, safe`\x1bP\x07\x1b\\`);
}
