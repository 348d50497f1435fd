/** A server file's entry, as in `mcp.json`. Variables such as `${TOKEN}` may appear in any text. */

export type ServerEntry = {
	/** User-given name: 1 to 24 of `a-z`, `0-9` and `-`. */
	readonly name: string;
	/** Where it is written, for messages: `mcp.json`, or a path as given by the user. */
	readonly file: string;
	readonly access: ProgramAccess | HttpAccess;
	/** Tool names; other tools are not offered. Undefined: all. */
	readonly includeTools: readonly string[] | undefined;
	readonly excludeTools: readonly string[];
};

/** A local program that talks over stdin and stdout. */
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
	/** An http or https URL, once its variables are filled in. */
	readonly url: string;
	/** Sent to the origin of `url` alone. */
	readonly headers: Readonly<Record<string, string>>;
	readonly auth?: LoginSettings | undefined;
};

/** Login settings that `chat` cannot discover. */
export type LoginSettings = {
	/** A client registered with the issuer; an https URL names a client document. */
	readonly clientId: string | undefined;
	readonly clientSecret: string | undefined;
	/** Requested in addition to the server's own scopes. */
	readonly scopes: readonly string[];
	/** The client's registered local port; undefined: any. */
	readonly callbackPort: number | undefined;
};

/** An entry for a server reached by HTTP. */
export type HttpEntry = ServerEntry & {readonly access: HttpAccess};
