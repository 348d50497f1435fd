/**
 * The built-in service on a terminal, next to services that run on this machine. A machine may run
 * others on ports that no variable names; the tests do not depend on them.
 */
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {createServer} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

/** On a busy machine, a service may answer after the search has ended. */
const patient = {retry: 3};

/** Messages are wrapped. */
const wordsOf = (screen: readonly string[]) => screen.join(' ').replaceAll(/ +/g, ' ');

describe('the line about the built-in service', () => {
	test('names the services of this machine, which get no prompt', patient, async () => {
		const ollama = await startLocalService(['a', 'b']);
		const studio = await startLocalService(['c']);
		const env = {...noLocalServices, OLLAMA_HOST: ollama.host, LM_STUDIO_URL: studio.host};
		const terminal = await openInProcess({argv: ['say hello'], columns: 200, env});
		expect((await terminal.exit).exitCode).toBe(0);
		expect(terminal.screen()).toContain('hello');
		const screen = wordsOf(terminal.screen());
		expect(screen).toMatch(/Ollama \(2 models\)(?:,| and) LM Studio \(1 model\)/);
		expect(screen).not.toMatch(/and .* and .* run on this machine/);
		expect(screen).toContain('run on this machine; to connect: chat setup');
		expect(screen.match(/no service configured/g)).toHaveLength(1);
		expect([...ollama.requests, ...studio.requests]).toEqual(['GET /v1/models', 'GET /v1/models']);
	});

	test('begins a session too', patient, async () => {
		const {host} = await startLocalService(['a']);
		const env = {...noLocalServices, OLLAMA_HOST: host};
		const terminal = await openInProcess({columns: 200, env});
		await terminal.untilText('Ask something');
		const line = /Ollama \(1 model\).* on this machine; to connect: \/connect/;
		expect(terminal.screen().join('\n')).toMatch(line);
	});

	test('does not wait for a service that stays silent', async () => {
		const silent = createServer(() => {});
		await once(silent.listen(0, '127.0.0.1'), 'listening');
		onTestFinished(() => void silent.close());
		const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const env = {...noLocalServices, OLLAMA_HOST: host};
		const terminal = await openInProcess({argv: ['say hello'], columns: 200, env});
		expect((await terminal.exit).exitCode).toBe(0);
		expect(terminal.screen()).toContain('hello');
		expect(wordsOf(terminal.screen())).toMatch(/\(rules, not a model\); (?!.*Ollama).*chat setup/);
	});

	test.each([
		['in a pipe', 'chat "say hello" | cat'],
		['from a pipe', 'echo | chat "say hello"'],
		['as JSON', 'chat -o json "say hello"'],
	])('looks for nothing %s', async (_, shell) => {
		const {host, requests} = await startLocalService(['a']);
		const env = {...noLocalServices, OLLAMA_HOST: host};
		const terminal = await openTerminal({shell, columns: 200, env});
		await terminal.exit;
		expect(terminal.screen().join('\n')).toContain('hello');
		expect(requests).toEqual([]);
	});
});
