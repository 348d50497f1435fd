/**
 * Draws the pictures of `docs/pictures/`: runs the built program on pseudo-terminals, against
 * `chat serve` with a scenario. The same program gives the same bytes.
 *
 * `node scripts/pictures.js [--output folder] [name…]`
 */
import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer, request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs, promisify} from 'node:util';
import {maskTimes} from './pictures/mask-times.js';
import {drawSvg, themes} from './pictures/svg.js';
import {root} from './project.js';
import {openTerminal, startService} from './run-program.js';

const chat = [process.execPath, join(root, 'bin', 'chat.js')];
const scenario = join(root, 'scripts', 'pictures', 'scenario.yaml');

const run = promisify(execFile);

const {values, positionals} = parseArgs({
	options: {output: {type: 'string', default: join(root, 'docs', 'pictures')}},
	allowPositionals: true,
});

const question = 'How does binary search work in Rust?';
const idle = /Ask something/;

/** Each waits for the screen to draw, so that nothing changes any more. */
const pictures = [
	{name: 'session-80x24', columns: 80, rows: 24, play: ask},
	{name: 'session-160x50', columns: 160, rows: 50, play: ask},
	{
		name: 'reasoning-100x30',
		columns: 100,
		rows: 30,
		async play(terminal) {
			await terminal.waitFor(idle);
			terminal.type('Explain binary search in Rust, step by step.\r');
			// The service stops after this line.
			await terminal.waitFor(/while low < high \{$/m);
			await terminal.waitForQuiet(200);
			terminal.type('and in Haskell?');
			await terminal.waitFor(/in Haskell\?/);
		},
	},
	{
		name: 'approval-80x24',
		columns: 80,
		rows: 24,
		argv: ['--tools', join(root, 'scripts', 'pictures', 'tools.json')],
		async play(terminal) {
			await terminal.waitFor(idle);
			terminal.type('Write release notes into out.txt\r');
			await terminal.waitFor(/v shows all of it · /);
		},
	},
	{
		name: 'menu-80x24',
		columns: 80,
		rows: 24,
		async play(terminal) {
			await terminal.waitFor(idle);
			terminal.type('/');
			await terminal.waitFor(/Enter runs/);
		},
	},
	{
		name: 'sessions-100x30',
		columns: 100,
		rows: 30,
		argv: ['sessions'],
		seeds: [question, 'Name ideas for a cat', 'Why is the sky blue?', 'Translate “hello” to Welsh'],
		async play(terminal) {
			await terminal.waitFor(/4 conversations, this folder(?! …)/);
		},
	},
];

async function ask(terminal) {
	await terminal.waitFor(idle);
	terminal.type(`${question}\r`);
	await terminal.waitFor(/general form.*Ask something/s);
}

/** A proxy that takes every address for the service, so that pictures show one without a port. */
async function startProxy(port) {
	const proxy = createServer((incoming, outgoing) => {
		const {method, url} = incoming;
		const headers = {...incoming.headers, host: `localhost:${port}`};
		const options = {port, method, headers, path: new URL(url).pathname};
		const passed = request(options, (reply) => {
			outgoing.writeHead(reply.statusCode, reply.headers);
			reply.pipe(outgoing);
		});
		incoming.pipe(passed);
		// The reader has gone.
		outgoing.on('close', () => passed.destroy());
		passed.on('error', () => outgoing.destroy());
	});
	await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return {url: `http://127.0.0.1:${proxy.address().port}`, close: () => proxy.close()};
}

async function draw({name, columns, rows, argv = [], seeds = ['Hello'], play}, proxy) {
	const home = await mkdtemp(join(tmpdir(), 'chat-picture-'));
	const folder = join(home, 'proj');
	await mkdir(folder);
	const variables = {
		HOME: home,
		PATH: process.env.PATH,
		LANG: 'C.UTF-8',
		TERM: 'xterm-256color',
		http_proxy: proxy,
		CHAT_BASE_URL: 'http://api.example.com/v1',
		CHAT_MODEL: 'nova-5.6-sol',
	};
	for (const prompt of seeds) {
		await run(process.execPath, [chat[1], '--no-stdin', prompt], {cwd: folder, env: variables});
	}
	const terminal = openTerminal([...chat, ...argv], {columns, rows}, variables, folder);
	try {
		await play(terminal);
		const picture = maskTimes(terminal.capture());
		for (const theme of themes) {
			await writeFile(join(values.output, `${name}-${theme}.svg`), drawSvg(picture, theme));
		}
	} finally {
		await terminal.close();
		await rm(home, {recursive: true});
	}
}

const service = await startService(chat, ['--rate', '300', '--scenario', scenario]);
const proxy = await startProxy(new URL(service.url).port);
await mkdir(values.output, {recursive: true});
try {
	for (const picture of pictures) {
		if (positionals.length === 0 || positionals.includes(picture.name)) {
			await draw(picture, proxy.url);
		}
	}
} finally {
	proxy.close();
	await service.end();
}
