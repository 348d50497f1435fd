/** MCP servers in a session on a terminal: their prompts, their resources, and `/mcp`. */
import {expect, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {
	everythingServer,
	startHostileHttp,
	type WrittenEntry,
	writeServers,
} from '../helpers/mcp-servers.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

/** Opens a session with these servers, and waits for its prompt. */
async function open(servers: Readonly<Record<string, WrittenEntry>>) {
	const {home} = createHome();
	writeServers(home, servers);
	const service = await startScripted(...[1, 2, 3].map((number) => say(`Answer ${number}.`)));
	const env = {...service.env, HOME: home, XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined};
	const names = Object.keys(servers);
	await approveServers({home}, ...names);
	const argv = names.flatMap((name) => ['--mcp', name]);
	const terminal = await openInProcess({argv, env, columns: 100, rows: 40});
	await terminal.untilText('Ask something');
	return {terminal, service};
}

test('a session uses what a server offers', async () => {
	const {terminal, service} = await open({everything: everythingServer});
	// Its prompt is listed, the values are completed by it, and the result becomes the draft.
	terminal.type('/every');
	await terminal.untilText(/completable-prompt +First argument choice/);
	terminal.type('thing:compl');
	await terminal.until((screen) => !screen.includes('args-prompt'));
	terminal.press('tab');
	await terminal.untilText(/department= +required: Choose the department/);
	terminal.type('S');
	await terminal.untilText('completable-prompt S');
	terminal.press('tab');
	await terminal.untilText('Support');
	terminal.press('tab');
	await terminal.untilText('completable-prompt Sales');
	terminal.type(' E');
	await terminal.untilText('completable-prompt Sales E');
	terminal.press('tab');
	await terminal.untilText('/everything:completable-prompt Sales Eve');
	terminal.press('enter');
	await terminal.untilText('Please promote Eve to the head of the Sales team.');
	expect(service.bodies).toEqual([]);
	terminal.press('enter');
	await terminal.untilText('Answer 1.');
	expect(service.bodies[0]?.messages).toEqual([
		{role: 'user', content: 'Please promote Eve to the head of the Sales team.'},
	]);
	expect(JSON.stringify(service.bodies[0]?.['tools'])).toContain('mcp__everything__echo');

	// Its resources are attached when the prompt is sent.
	terminal.type('what is @static/doc/feat');
	await terminal.untilText('everything:demo://resource/static/document/features.md');
	terminal.press('enter');
	await terminal.untilText('what is @everything:demo://');
	terminal.type('and @everything:demo://resource/dynamic/text/7?\r');
	await terminal.untilText('Answer 2.');
	const text = JSON.stringify(service.bodies[1]?.messages);
	expect(text).toContain('name=\\"everything:demo://resource/static/document/features.md\\"');
	expect(text).toContain('Resource 7: This is a plaintext resource');
	terminal.type('see @everything:demo://nothing\r');
	await terminal.untilText('✗');
	expect(service.bodies).toHaveLength(2);
	terminal.press('ctrl+u');

	// `/mcp` switches it off.
	terminal.type('/mcp off everything\r');
	await terminal.untilText('the tools of everything are off');
	terminal.type('again\r');
	await terminal.untilText('Answer 3.');
	expect(service.bodies[2]?.['tools']).toBeUndefined();
});

test('texts of a hostile server do nothing to the terminal or the prompt', async () => {
	const [hostile, bidi] = [await startHostileHttp(['escapes']), await startHostileHttp(['bidi'])];
	const {terminal, service} = await open({hostile: hostile.entry, bidi: bidi.entry});
	for (const [name, answer] of [
		['hostile', 'Answer 1.'],
		['bidi', 'Answer 2.'],
	] as const) {
		terminal.type(`/mcp ${name}\r`);
		await terminal.untilText(`@${name}:memo://one`);
		terminal.type(`/${name}:review 12\r`);
		await terminal.untilText('press Enter to send it');
		terminal.press('enter');
		await terminal.untilText(answer);
	}
	const attacks = ['\u001b]52', '\u001bc', '\u001bP', '\u009b', '\u202e', '\u2066', '\u{e0041}'];
	expect(attacks.filter((attack) => terminal.raw().includes(attack))).toEqual([]);
	const [first, second] = service.bodies.map(({messages}) => messages.at(-1)?.content);
	expect(first).toMatch(/^[ -~\n]+$/);
	expect(second).toBe('safegpj.exe paypal ');
});
