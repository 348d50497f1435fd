/** The words of all hints. */
import {type Hint, type HintCode, type HintData, type HintOf, joinHints} from '../../hint.ts';
import {formatDuration} from '../../protocol/duration.ts';
import {localProviders, storeHint} from '../../providers.ts';
import {hasOwnOption} from '../../settings/options/request-fields.ts';
import {quoteWord, shorten} from '../../wording.ts';

export function wordsOf(hint: Hint): string {
	if (typeof hint === 'string') return hint;
	return 'line' in hint ? hint.line : wordsOfCode(hint);
}

function wordsOfCode<Code extends HintCode>(hint: HintOf<Code>): string {
	return words[hint.code](hint);
}

type Words = {
	readonly [Code in HintCode]: (data: HintData[Code]) => string;
};

const shownModels = 20;

/** Threat: a name that fills the screen. */
const maxNameLength = 100;

const words: Words = {
	several: ({hints}) => joinHints(...hints.map(wordsOf)),
	'report-bug': () =>
		'This is a bug in chat. Run it again with -v, and report the stack where you got chat from, with the output of: chat doctor -o json',
	'start-again': () =>
		'Exit and start chat again; chat -c then continues the conversation. If it still fails, install it again.',

	'start-service': ({port}) => {
		const provider = localProviders.find(({ports}) => ports.some((known) => known === port));
		const start = provider === undefined ? '' : ` To start ${provider.title}: ${provider.start}`;
		return `Is the service running, and are host and port right?${start}`;
	},
	'check-network': () => 'Is the host name right, and is there a network?',
	'check-https': () =>
		'Does the service speak https on that port? If not, write http:// in the base URL.',
	'check-clock': () =>
		'Is the clock of this computer right? If it is, the service must renew its certificate.',
	'check-host': () => 'Check the host name in the base URL.',
	'trust-authority': () =>
		'If a private authority issued it, name the certificate of the authority with --ca-file.',
	'try-https': () => 'If that port expects https, write https:// in the base URL.',
	'check-proxy': () =>
		'Is it the right proxy? HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names it; NO_PROXY makes exceptions.',
	'avoid-proxy': () => 'To connect without it, add the host to NO_PROXY.',
	'proxy-login': () =>
		'The proxy requires a user name and password: http://user:password@host:port',

	'check-service': () => 'Is the base URL that of a chat-completions service?',
	'use-redirect': () => 'If you trust that address, use it as the base URL.',
	'check-gateway': () =>
		'A web page answered, not the service: a firewall, a login page or a proxy is in front of it.',
	'no-credit': () => 'The account has no credit or quota left; retrying will not help.',
	'set-key': ({isKeyReadAgain, authHeader, origin}) => {
		if (authHeader === 'none') return 'No API key was sent, because auth-header is none.';
		const next = isKeyReadAgain ? ', which the next prompt uses' : '';
		return `No API key was sent. To store one${next}: ${storeHint(origin)}`;
	},
	'check-key': ({keySource, isDenied, isKeyReadAgain, authHeader}) => {
		const verb = isDenied ? 'denied access to' : 'does not accept';
		const where = authHeader === undefined ? '' : `, sent as ${authHeader} (auth-header)`;
		const next = isKeyReadAgain ? ' It is read again before the next prompt.' : '';
		return `The service ${verb} the key from ${keySource}${where}. Does the key belong to this service?${next}`;
	},
	'content-refused': () => 'The service refused the prompt because of its content, not the key.',
	'request-too-large': () => 'The request is too large: send fewer or smaller images or files.',
	'unsupported-part': ({part}) =>
		part === 'document'
			? 'The service may not support PDFs. Send the text: pdftotext file.pdf - | chat "your question"'
			: `The model may not support ${part === 'audio' ? 'audio' : 'images'}. Choose another with -m, or with /model in a session.`,
	'use-https': () => 'The port expects https: write https:// in the base URL.',
	'mention-json': () => 'Mention JSON in the prompt or in the system message (-s).',
	'no-streaming': () => 'Use --no-stream.',
	'no-reasoning-with-tools': () =>
		'Use --reasoning-effort none (in a session: /set reasoning_effort none), leave out the tools, or choose another model with -m.',
	'no-chat-model': () =>
		'The model does not support chat completions; it may need the Responses API, which chat does not support. Choose another with -m, or with /model in a session.',
	'refused-field': ({field, source}) => {
		const elsewhere =
			'The model may not reason (chat models show), or take another field, as in -O thinking.type=enabled. ';
		const removal = `${field.replaceAll('.', String.raw`\.`)}=null`;
		const [once, session] = hasOwnOption(field)
			? [`--${field.replaceAll('_', '-')} ''`, field]
			: [`-O ${quoteWord(removal)}`, removal];
		const isOfLine = source?.startsWith('--') === true;
		const place = source === undefined || isOfLine ? '' : ` (set by ${source})`;
		const search = source === undefined ? '; chat config list shows where it is set' : '';
		const leaveOut = `Leave out ${field}${place} with ${once}, or /set ${session} in a session${search}.`;
		return field === 'reasoning_effort' ? `${elsewhere}${leaveOut}` : leaveOut;
	},
	wait: ({waitMs}) =>
		waitMs === undefined
			? 'Try again later.'
			: `The service asks to wait ${formatDuration(waitMs)}.`,
	'choose-model': () => 'Choose another model with -m, or with /model in a session.',
	'set-model': ({defaultModel}) =>
		`No model is set, so the default ${defaultModel} was requested. Choose one with -m or CHAT_MODEL.`,
	'keep-model': ({model, place, profile}) => {
		const name = model === undefined ? 'NAME' : quoteWord(model);
		const set = `chat config set ${profile === undefined ? '' : `--profile ${profile} `}model ${name}`;
		const keep = place === 'config' || place === 'profile' ? set : `CHAT_MODEL=${name}`;
		if (model !== undefined)
			return place === 'flag' ? `For the next run: -m ${name}` : `To keep it: ${keep}`;
		return place === 'flag'
			? 'Choose one with -m NAME'
			: `Choose one with -m NAME; for every run: ${keep}`;
	},
	'name-model': () => 'To send a prompt without the list, name a model: -m NAME',
	'offered-models': ({models, closest}) => {
		const meant = closest === undefined ? '' : `Did you mean ${closest}? `;
		const rest =
			models.length > shownModels
				? `, and ${models.length - shownModels} more; chat models lists them`
				: '';
		const names = models.slice(0, shownModels).map((name) => shorten(name, maxNameLength));
		return `${meant}The service offers ${names.join(', ')}${rest}.`;
	},
	'no-model-list': () =>
		'The service may have no list of models: a prompt can work all the same, with -m NAME. If it does not, check the path of the base URL.',
	'other-operation': ({operation}) =>
		`Leave ${operation} out of the base URL: it is another operation.`,
	'use-base-url': ({baseUrl}) => `This service needs another base URL: ${baseUrl}`,
	'choose-deployment': () =>
		'Azure calls a model by its deployment: name it with -m, or in the base URL if that contains one.',
	'other-key-header': ({header}) =>
		`The service expects the key in another header: --auth-header ${header}, or chat config set auth-header ${header}`,
	'missing-version': () => 'The base URL has no version; perhaps it ends in /v1.',
	'check-path': () =>
		'Check the path of the base URL. To use it as it is, end it in /chat/completions.',

	'mcp-address': () =>
		'Check the address. It may be one of the older transport (SSE), which chat does not support; many of these servers support streamable HTTP too, at another address.',
	'mcp-redirect': () => 'If you trust that address, use it as the url of the server.',
	'mcp-header': () =>
		'Create a token there, set it as a variable, and add "headers": {"Authorization": "Bearer ${TOKEN}"} to the entry.',
	'mcp-login': ({server}) => `Log in with: chat mcp login ${server}`,

	'tool-example': () =>
		'A tool looks like {"type": "function", "function": {"name": "…", "parameters": {…}}, "command": ["…"]}.',
	'tool-program': () =>
		'A relative path starts at the folder of the tools file, and a script must be executable (chmod +x).',
	'tool-interpreter': ({program, cwd}) =>
		`Check that ${program} has an interpreter and is executable, and that ${cwd} exists.`,
	'allow-tool': ({name}) => `--allow-tool ${name} allows it`,
	'refresh-server': ({server}) => `chat mcp refresh ${server} shows what has changed`,
	'choose-tools': () => 'includeTools in mcp.json chooses among them',
};
