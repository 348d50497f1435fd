/** Mistakes in command lines: exit code and message, before anything happens. */
import {type Refusal, testRefusals} from '../helpers/run-table.ts';

const age = '--since is "7m", but it must be an age such as 12h, 7d, 2w, 3mo or 1y';
const noLogs = /found no conversations of Gemini CLI in ~\/\.gemini\/tmp\n.*GEMINI_CLI_HOME/;

const sessions: readonly Refusal[] = [
	['sessions list --since=7m', 64, age],
	['sessions delete', 64, 'sessions delete'],
	['sessions delete --all k3f9', 64, 'sessions delete'],
	['sessions prune --yes', 64, 'sessions prune needs --older-than or --unanswered'],
	['sessions show nothere', 66, 'no conversation has the id or title "nothere"'],
	['sessions export a --format pdf', 64, '--format is "pdf", but it must be one of'],
	['sessions import gemini', 66, noLogs],
	['sessions import a.json --since 1d', 64, /--since is for programs: claude-code/],
];

const serve: readonly Refusal[] = [
	['serve --port 65536', 64, /^chat: --port is "65536", but it must be a port from 0 to 65535\n/],
	['serve --cors localhost:5173', 64, /^chat: --cors is "localhost:5173", but .* an origin/],
	[['serve', '--host', ''], 64, /^chat: --host is "", but it must not be empty\n/],
	['serve --scenario gone.yaml', 66, /^chat: no such file: gone\.yaml\n/],
	[
		'serve --scenario a.yaml',
		65,
		'a.yaml: replies[0].fault.dely is not known; did you mean delay?',
	],
	['serve --scenario b.yaml', 65, 'b.yaml: line 1, column 11: Flow sequence in block'],
];

const others: readonly Refusal[] = [
	['batch in.jsonl -o in.jsonl', 64, 'in.jsonl is the input'],
	['batch in.jsonl --retry-failed', 64, '--retry-failed needs a file for the answers: -o'],
	['batch in.jsonl --submit -o -', 64, '--submit needs a file for the answers: -o'],
	['batch -', 64, 'nothing was piped in'],
	['batch no.jsonl', 66, 'no such file: no.jsonl'],
	['batch in.jsonl -a -', 64, 'a batch cannot attach stdin'],
	['quotes answer.md none.txt', 66, /^chat: no such file: none\.txt\n/],
	['quotes answer.md photo.png', 65, /^chat: photo\.png is an image, not text\n/],
	['quotes - answer.md', 64, /^chat: nothing was piped in\n/],
	['models update models.dev', 64, /must be a URL that starts with http:\/\/ or https:\/\/\n$/],
	['models update http://127.0.0.1:1/api.json', 73, '', {home: undefined}],
	['--base-url built-in: --wire messages p', 64, 'the built-in service has no Messages API'],
	['mcp import in.jsonl', 65, 'in.jsonl has no servers'],
	['mcp import missing.json', 66, /no such file: .*missing\.json/],
	['config lst', 64, /unknown command "config lst"\n {6}Did you mean chat config list\? To send/],
	['completion bsh', 64, 'Did you mean chat completion bash?'],
	['--save-template ../x p', 64, '"../x" is not a valid name for a template'],
	['--save-template x', 64, 'there is nothing to save: give a prompt, or flags'],
	['--save-template x -t y p', 64, '--save-template cannot be used with -t'],
	['--save-template x -p y p', 64, '-p is "y", but it must be name=value'],
];

testRefusals('is refused', [...sessions, ...serve, ...others], {
	files: {
		'a.yaml': 'replies:\n  - fault:\n      dely: 2s',
		'b.yaml': 'replies: [',
		'in.jsonl': '"a"\n',
		'answer.md': 'It says “is liable for all”.',
		'photo.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
	},
});
