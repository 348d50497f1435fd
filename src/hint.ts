/** The next step after a failure. */

export type Hint = string | SessionHint | HintOf<HintCode>;

/** A session has commands where a command line has flags. */
export type SessionHint = {readonly line: string; readonly session: string};

/** Joins hints to one. A hint that ends in a command has no full stop. */
export function joinHints(...hints: readonly string[]): string {
	return hints.reduce((all, text) => `${all}${/[.?!]$/.test(all) ? '' : '.'} ${text}`);
}

/** Hints whose words are in `cli/hints/hint-words.ts`. */
export type HintData = {
	/** Several hints, in this order. */
	several: {readonly hints: readonly Hint[]};
	'report-bug': Nothing;
	/** Parts of the program are loaded when they are needed, and an update replaces them. */
	'start-again': Nothing;

	// The connection.
	/** The port on this machine where nothing answers. */
	'start-service': {readonly port?: number};
	'check-network': Nothing;
	'check-https': Nothing;
	'check-clock': Nothing;
	'check-host': Nothing;
	'trust-authority': Nothing;
	'try-https': Nothing;
	'check-proxy': Nothing;
	'avoid-proxy': Nothing;
	'proxy-login': Nothing;

	// The reply.
	'check-service': Nothing;
	'use-redirect': Nothing;
	'check-gateway': Nothing;
	'no-credit': Nothing;
	'set-key': KeyReading & Partial<KeyHeader> & {readonly origin: string};
	'check-key': KeyReading &
		Partial<KeyHeader> & {
			readonly keySource: string;
			/** The service knows the key, and denies it access. */
			readonly isDenied: boolean;
		};
	'content-refused': Nothing;
	'request-too-large': Nothing;
	'unsupported-part': {readonly part: 'document' | 'audio' | 'image'};
	'use-https': Nothing;
	'mention-json': Nothing;
	'no-streaming': Nothing;
	'no-reasoning-with-tools': Nothing;
	/** The model answers another convention than chat completions. */
	'no-chat-model': Nothing;
	/** A field that the user may leave out, by its name in the request, and where it was set. */
	'refused-field': {readonly field: string; readonly source: string | undefined};
	/** Undefined if the service names no time. */
	wait: {readonly waitMs: number | undefined};
	'choose-model': Nothing;
	'set-model': {readonly defaultModel: string};
	/** The source of the base URL says where a model is kept for it. */
	'keep-model': {
		/** Undefined before the choice. */
		readonly model: string | undefined;
		readonly place: string;
		readonly profile: string | undefined;
	};
	/** The list of models cannot be had. */
	'name-model': Nothing;
	'offered-models': {
		readonly models: readonly string[];
		/** The name that was probably meant. */
		readonly closest?: string | undefined;
	};
	'no-model-list': Nothing;
	/** The path of another operation, in the base URL. */
	'other-operation': {readonly operation: string};
	'missing-version': Nothing;
	/** The one that this service needs. */
	'use-base-url': {readonly baseUrl: string};
	'choose-deployment': Nothing;
	/** The header in which the service expects its key. */
	'other-key-header': {readonly header: string};
	'check-path': Nothing;

	// Files and images.

	// MCP servers.
	'mcp-redirect': Nothing;
	'mcp-address': Nothing;
	'mcp-login': {readonly server: string};
	/** In place of a login. */
	'mcp-header': Nothing;

	// Tools and output.
	'tool-example': Nothing;
	'tool-program': Nothing;
	'tool-interpreter': {readonly program: string; readonly cwd: string};
	'allow-tool': {readonly name: string};
	/** A server offers something else than what the user has approved. */
	'refresh-server': {readonly server: string};
	/** Each request carries the definitions of all tools. */
	'choose-tools': Nothing;
};

type Nothing = Readonly<Record<never, never>>;

type KeyReading = {
	/** Whether the next request reads the key again. */
	readonly isKeyReadAgain: boolean;
};

type KeyHeader = {
	/** The header that carries the key, if it is not the usual one; or `none`. */
	readonly authHeader: string | undefined;
};

export type HintCode = keyof HintData;

export type HintOf<Code extends HintCode> = {
	readonly [Known in Code]: {readonly code: Known} & HintData[Known];
}[Code];

export function codeOf(hint: Hint | undefined): HintCode | undefined {
	return typeof hint === 'object' && 'code' in hint ? hint.code : undefined;
}
