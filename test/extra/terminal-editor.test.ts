/** The draft in an editor of the user's own. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {createGate, type ScriptedReply, say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {createDirectory} from '../input/input-helpers.ts';

/**
 * Opens a session with a script of `sh` as the editor: `$file` is the file, `$out` a folder. Whatever
 * it reports comes from the terminal.
 */
async function open(script: string, replies: readonly ScriptedReply[] = [say('fine')]) {
	const service = await startScripted(...replies);
	const out = createDirectory({});
	const path = join(out, 'my editor.sh');
	writeFileSync(path, `out='${out}'; for file; do :; done\n${script}`);
	const env = {...service.env, EDITOR: `sh '${path}' --wait`, VISUAL: undefined};
	const terminal = await openTerminal({env});
	await terminal.untilText(ready);
	const reported = (name: string) => readFileSync(join(out, name), 'utf8');
	const hasReported = (name: string) => terminal.until(() => existsSync(join(out, name)));
	return {terminal, service, reported, hasReported, out};
}

const modes = 'stty -a | grep -ow -e -icanon -e -echo -e icanon -e echo | xargs echo >"$out/stty"';
const files = 'stat -c "%a" "$file" "$(dirname "$file")" >"$out/modes"; echo "$file" >"$out/file"';
const edit = 'cp "$file" "$out/before"; printf "%s\\n" "edited, and" "  ÄÖ 👍" >"$file"';

test('Ctrl-G opens the draft, and takes it back', async () => {
	const {terminal, service, reported} = await open(
		[modes, files, 'echo "$1" >"$out/argument"', edit].join('\n'),
	);
	terminal.type('see: ');
	terminal.paste('pasted\n'.repeat(20));
	terminal.type('end');
	await terminal.untilText('[Pasted 20 lines #1]end');
	terminal.press('ctrl+g');
	await terminal.untilText('› edited, and\n    ÄÖ 👍');
	expect(reported('before')).toBe(`see: ${'pasted\n'.repeat(20)}end\n`);
	expect(reported('argument')).toBe('--wait\n');
	expect(reported('modes')).toBe('600\n700\n');
	expect(reported('stty')).toBe('icanon echo\n');
	expect(existsSync(reported('file').trim())).toBe(false);
	expect(terminal.modes()).toMatchObject({isPasteBracketed: true, keyboardFlags: 1});
	terminal.type('!\r');
	await terminal.untilText('fine');
	expect(service.bodies[0]?.messages.at(-1)?.content).toBe('edited, and\n  ÄÖ 👍!');
});

test('the draft stays as it is when the editor fails, is killed, or leaves no file', async () => {
	const {terminal, out} = await open('echo lost >"$file"; . "$out/end"');
	terminal.paste('pasted\n'.repeat(20));
	terminal.type('mine');
	await terminal.untilText('#1]mine');
	for (const [end, notice] of [
		['exit 3', /the editor sh failed \(exit code 3\); the draft is as it was/],
		['rm "$file"', /the editor left no file; the draft is as it was/],
		['kill -9 $$', /the editor sh failed \(ended by SIGKILL\)/],
	] as const) {
		writeFileSync(join(out, 'end'), end);
		terminal.press('ctrl+g');
		await terminal.untilText(notice);
		expect(terminal.screen().join('\n')).toContain('› [Pasted 20 lines #1]mine');
	}
});

const wait = 'touch "$out/open"; while [ ! -e "$out/close" ]; do sleep 0.02; done';

test('an answer that arrives meanwhile is drawn afterwards, once', async () => {
	const gate = createGate();
	const lines = Array.from({length: 60}, (_, index) => `line ${index}`).join('\n\n');
	const replies = [[{text: 'It starts.\n\n'}, {gate}, {text: lines}]];
	const {terminal, hasReported, out} = await open(`${wait}; ${edit}`, replies);
	terminal.type('go\r');
	await terminal.untilText('It starts.');
	terminal.press('ctrl+g');
	await hasReported('open');
	await terminal.until(() => terminal.raw().endsWith('\x1b[?2004l'));
	const before = terminal.raw().length;
	gate.open();
	terminal.type('for the editor');
	await terminal.untilText('for the editor');
	expect(terminal.raw().slice(before)).toBe('for the editor');
	writeFileSync(join(out, 'close'), '');
	await terminal.untilText('› edited, and');
	await terminal.until((screen) => screen.includes('line 59') && !screen.includes('stops'));
	const shown = terminal.scrollback().filter((row) => /^(line \d+|It starts\.)$/.test(row));
	expect(shown.join('\n\n')).toBe(`It starts.\n\n${lines}`);
});

test('a session that is ended by a signal waits for the editor, and removes its file', async () => {
	const {terminal, hasReported, reported, out} = await open(`${files}; ${wait}`);
	terminal.press('ctrl+g');
	await hasReported('open');
	process.kill(terminal.pid, 'SIGTERM');
	terminal.type('for the editor');
	await terminal.untilText('for the editor');
	writeFileSync(join(out, 'close'), '');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 15});
	expect(existsSync(dirname(reported('file').trim()))).toBe(false);
	expect(terminal.modes()).toEqual({
		isCursorShown: true,
		isPasteBracketed: false,
		keyboardFlags: 0,
		isModifyingKeys: false,
	});
});
