/** The exit codes as `docs/exit-codes.md` and `--help` print them, in order. */
export const exitCodeRows: ReadonlyArray<{readonly code: string; readonly when: string}> = [
	{code: '0', when: 'complete answer; help'},
	{
		code: '1',
		when: 'a bug in `chat` (`-v` shows the stack); nothing found by `config get`, `auth status`, `sessions search` or `sessions redact`',
	},
	{code: '64', when: 'usage: unknown flag, value out of range, no prompt'},
	{
		code: '65',
		when: 'bad data: a broken image, an invalid schema, a request too large for the model, a request rejected by the service (400, 404, 413, 422), an answer without the requested JSON or code',
	},
	{code: '66', when: 'an input file is missing or not readable'},
	{
		code: '69',
		when: 'service unavailable: DNS, connection refused, TLS, 5xx after retries; an MCP server that cannot be started or reached',
	},
	{code: '73', when: 'a file cannot be created'},
	{code: '74', when: 'output cannot be written'},
	{
		code: '75',
		when: 'try again later: 408, 409, 429, overloaded, timed out before any output; a file of `chat run` that another run or an editor is writing',
	},
	{code: '76', when: 'protocol: the reply is not a chat completion, redirect refused'},
	{
		code: '77',
		when: 'no access: 401, 403, 402, no quota left, empty key source, a tool denied without a terminal, an unapproved MCP server',
	},
	{code: '78', when: 'invalid configuration'},
	{
		code: '79',
		when: 'the answer is incomplete: a refusal, a failure after the first output, `length`, content filter, too many tool calls (the text is still printed, the reason is on stderr)',
	},
	{code: '80', when: 'a quotation is not in the files (`--quotes`, `chat quotes`)'},
	{
		code: '129, 130, 143',
		when: 'hangup, interrupted, terminated: the process dies by the signal itself',
	},
	{code: '141', when: 'the reader of stdout is gone'},
];
