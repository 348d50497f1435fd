/** `chat setup`: connects a service in a short dialog. Nothing is changed before its end. */
import type {ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {checkProfileName} from '../../../settings/options/config-values.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {findHosted, isLocalName} from '../../../settings/options/parse-service.ts';
import type {Command, Invocation} from '../../command-line/command.ts';
import {verboseOnly} from '../../command-line/shared-rows.ts';
import {connectByDialog} from '../../run/connect/connect-by-dialog.ts';

const {profile, authHeader, insecureHttp, caFile, connectTimeout} = optionRows;

export const setup: Command = {
	name: 'setup',
	description:
		'Connects a service: one on this machine, a hosted one by name, or any by URL. Asks for the key without showing it, lists the models, and offers a test. Changes nothing before the end.',
	flags: {
		profile: {...profile, summary: 'profile to store the connection in'},
		authHeader,
		insecureHttp,
		caFile,
		connectTimeout: {
			...connectTimeout,
			summary: 'maximum wait for a connection, and for the model list',
		},
		verbose: verboseOnly,
	},
	bare: {args: '', summary: '', run: connectService},
	verbs: {},
	advise(word) {
		const isUrl = /^https?:\/\//.test(word);
		const url = isUrl ? word : word.replace(/:?$/, ':');
		if (!isUrl && !isLocalName(url) && findHosted(url) === undefined) return undefined;
		return `chat setup asks which service. Without questions: chat config set base-url ${url}`;
	},
	notes: [
		'With --profile the connection is stored in that profile. Without a terminal, use the commands below.',
	],
	examples: ['chat config set base-url https://api.example.com', 'chat auth set < key.txt'],
};

/** @throws {ChatError} `usage` without a terminal; `interrupted` after Ctrl-C */
async function connectService({flags, environment}: Invocation): Promise<ExitCode> {
	const {profile: [name] = [], ...others} = flags;
	if (name !== undefined) checkProfileName(name);
	const policy = {
		command: 'chat setup',
		purpose: 'ask its questions',
		instead: 'Instead: chat config set base-url <url>; chat auth set < key.txt',
	};
	const plan = await connectByDialog({profile: name, flags: others, policy}, environment);
	if (plan === undefined) {
		printInfo('nothing was changed', environment);
		return 0;
	}
	const flag = plan.profile === undefined ? '' : `--profile ${plan.profile} `;
	printInfo(`try it: chat ${flag}"What is a monad?"`, environment);
	return 0;
}
