/** An entry of a file of servers, such as `mcp.json`. Its texts may refer to variables: `${TOKEN}`. */

export type ServerEntry = {
	/** The name the user gave it: 1 to 24 of `a-z`, `0-9` and `-`. */
	readonly name: string;
	/** Where it is written, for messages: `mcp.json`, or a path as the user gave it. */
	readonly file: string;
	readonly access: ProgramAccess | HttpAccess;
	/** Names of tools; the others are not offered. Undefined: all. */
	readonly includeTools: readonly string[] | undefined;
	readonly excludeTools: readonly string[];
};

/** A program of this machine that speaks over its stdin and stdout. */
export type ProgramAccess = {
	readonly type: 'program';
	/** The program and its arguments. */
	readonly argv: readonly string[];
	/** Set in addition to the few variables that every program gets. */
	readonly variables: Readonly<Record<string, string>>;
	/** Absolute. Undefined: the home folder, so that nothing in the current folder counts. */
	readonly cwd: string | undefined;
};

/** Streamable HTTP. */
export type HttpAccess = {
	readonly type: 'http';
	/** A URL of http or https, once its variables are filled in. */
	readonly url: string;
	/** Sent to the origin of `url` alone. */
	readonly headers: Readonly<Record<string, string>>;
	readonly auth?: LoginSettings | undefined;
};

/** The parts of a login that `chat` cannot find out. */
export type LoginSettings = {
	/** A client that is registered with the issuer; an https URL is that of a document about one. */
	readonly clientId: string | undefined;
	readonly clientSecret: string | undefined;
	/** Asked for in addition to those that the server names. */
	readonly scopes: readonly string[];
	/** The port on this machine that the client is registered with; undefined: any. */
	readonly callbackPort: number | undefined;
};

/** An entry of a server that is reached by HTTP. */
export type HttpEntry = ServerEntry & {readonly access: HttpAccess};
