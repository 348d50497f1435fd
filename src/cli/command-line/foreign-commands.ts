/** Commands known from other programs, with our equivalents. */

type Row = readonly [written: RegExp, meant: string];

/** A pattern matches the whole command, including the words it takes in its own program. */
const foreignCommands: readonly Row[] = [
	[/^(?:login|keys? (?:set|add)(?: \S+)?)$/, 'chat auth set'],
	[/^(?:login status|keys? get(?: \S+)?)$/, 'chat auth status'],
	[/^keys?(?: (?:list|path))?$/, 'chat auth list'],
	[/^(?:logout|keys? (?:remove|delete|rm)(?: \S+)?)$/, 'chat auth remove'],
	[/^(?:logs|history|list|ls)(?: (?:list|show|status|sessions))?$/, 'chat sessions list'],
	[/^logs path$/, 'chat sessions path'],
	[/^history clear$/, 'chat sessions delete --all'],
	[/^(?:export|import)(?: \S*[./\d]\S*)?$/, 'chat sessions $&'],
	[/^(?:list|ls) models$/, 'chat models'],
	[/^(?:list|ls) (templates|mcp)$/, 'chat $1 list'],
	[/^(?:profiles?|(?:list|ls) profiles)(?: (?:list|show))?$/, 'chat config profiles'],
	[/^(?:providers?|init|connect|configure|onboard)(?: list)?$/, 'chat setup'],
	[/^resume(?: --last)?$/, 'chat -c'],
	[/^resume ([a-z0-9-]*\d[a-z0-9-]*)$/, 'chat -r $1'],
	[/^exec(?: (".* .*"))?$/, 'chat "your question"'],
	[/^new$/, 'chat, which starts a new conversation'],
	[/^(?:upgrade|update)$/, 'chat doctor, which shows how chat is installed'],
	[/^(?:quit|exit)$/, '/exit in a session'],
	[/^version$/, 'chat --version'],
];

/** Returns the command probably meant; undefined if the words are a prompt. */
export function findForeign(words: readonly string[]): string | undefined {
	const written = words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
	const [pattern, meant] = foreignCommands.find(([known]) => known.test(written)) ?? [];
	return pattern && meant && written.replace(pattern, meant);
}

/** Synonymous verbs of various programs. */
const sameVerbs: ReadonlyArray<readonly string[]> = [
	['delete', 'remove', 'rm', 'del', 'unset', 'logout', 'erase'],
	['list', 'ls'],
	['show', 'view', 'cat', 'get', 'info', 'status'],
	['set', 'add', 'login', 'new', 'create', 'edit'],
	['rename', 'mv', 'move'],
	['update', 'upgrade', 'refresh', 'sync', 'pull'],
];

/** Returns our verb for another program's verb. */
export function findSameVerb(written: string, verbs: readonly string[]): string | undefined {
	const same = sameVerbs.find((words) => words.includes(written)) ?? [];
	return same.find((word) => verbs.includes(word));
}

/** Flags for sending a prompt in other programs. */
const foreignFlags: Readonly<Record<string, string>> = {
	json: '-o json',
	'output-format': '-o',
	schema: '--json-schema',
	'output-schema': '--json-schema',
	prompt: 'chat "your question", without a flag',
	print: 'chat "your question", without a flag',
	query: 'chat "your question", without a flag',
	execute: 'chat "your question", without a flag',
	timeout: '--payload-timeout, or for the whole run: timeout 60 chat "your question"',
	'system-prompt': '-s',
	instructions: '-s',
	attachment: '-a',
	effort: '--reasoning-effort',
	'max-output-tokens': '--max-tokens',
	url: '--base-url',
	host: '--base-url',
	endpoint: '--base-url',
	'api-base': '--base-url',
	'list-models': 'chat models',
	'list-sessions': 'chat sessions list',
	session: '-r',
	last: '-c',
	info: 'chat doctor',
};

/** Returns our equivalent of another program's flag, given without dashes. */
export function findForeignFlag(name: string): string | undefined {
	return Object.hasOwn(foreignFlags, name) ? foreignFlags[name] : undefined;
}
