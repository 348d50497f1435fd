/**
 * The built-in service on a terminal, next to services that run on this machine. A machine may run
 * others on ports that no variable names; the tests do not depend on them.
 */
import {createServer} from 'node:net';
import {expect, test} from 'vitest';
import {listen} from '../helpers/listen.ts';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

/** Messages are wrapped. */
const wordsOf = ({screen}: TestTerminal) => screen().join(' ').replaceAll(/ +/g, ' ');

/** On a busy machine, a service may answer after the search has ended. */
const patient = {retry: 3};

test('a line names the services of this machine, which get no prompt', patient, async () => {
	const ollama = await startLocalService(['a', 'b']);
	const studio = await startLocalService(['c']);
	const env = {...noLocalServices, OLLAMA_HOST: ollama.host, LM_STUDIO_URL: studio.host};
	const terminal = await openInProcess({argv: ['say hello'], columns: 200, env});
	expect((await terminal.exit).exitCode).toBe(0);
	const screen = wordsOf(terminal);
	expect(screen).toMatch(/Ollama \(2 models\)(?:,| and) LM Studio \(1 model\)/);
	expect(screen).not.toMatch(/and .* and .* run on this machine/);
	expect(screen).toContain('run on this machine; to connect: chat setup');
	expect(screen.match(/no service configured/g)).toHaveLength(1);
	expect([...ollama.requests, ...studio.requests]).toEqual(['GET /v1/models', 'GET /v1/models']);
});

test('the line begins a session too', patient, async () => {
	const {host} = await startLocalService(['a']);
	const env = {...noLocalServices, OLLAMA_HOST: host};
	const terminal = await openInProcess({columns: 200, env});
	await terminal.untilText('Ask something');
	const line = /Ollama \(1 model\).* on this machine; to connect: \/connect/;
	expect(terminal.screen().join('\n')).toMatch(line);
});

test('the line does not wait for a service that stays silent', async () => {
	const host = `127.0.0.1:${await listen(createServer())}`;
	const env = {...noLocalServices, OLLAMA_HOST: host};
	const terminal = await openInProcess({argv: ['say hello'], columns: 200, env});
	expect((await terminal.exit).exitCode).toBe(0);
	expect(wordsOf(terminal)).toMatch(/\(rules, not a model\); (?!.*Ollama).*chat setup/);
});

test.each<readonly [string, readonly string[], RunOptions]>([
	['into a pipe', ['p'], {stdin: 'terminal', terminals: ['stderr']}],
	['as JSON', ['-o', 'json', 'p'], {stdin: 'terminal', terminals: ['stdout', 'stderr']}],
	['from a pipe', ['p'], {stdin: 'text', terminals: ['stdout', 'stderr']}],
])('nothing is looked for %s', async (_, argv, options) => {
	const {host, requests} = await startLocalService(['a']);
	const variables = {...noLocalServices, OLLAMA_HOST: host};
	expect(await runChat(argv, {...options, variables})).toMatchObject({exitCode: 0});
	expect(requests).toEqual([]);
});
