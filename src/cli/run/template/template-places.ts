/** The folders where this user has templates. */
import {join} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {readTrust} from '../../../files/trust.ts';
import {templatesDirectory, trustedTemplatesPath} from '../../../settings/files/config-path.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {findTrusted, type TemplatePlaces} from '../../../templates/find-templates.ts';

export function findPlaces(
	{templatePaths}: Pick<Settings, 'templatePaths'>,
	environment: Environment,
): TemplatePlaces {
	const {cwd, homedir} = environment;
	return {
		own: templatesDirectory(environment),
		trusted: findTrusted(cwd, readTrust(trustedTemplatesPath(environment))),
		skills: homedir && join(homedir, '.agents', 'skills'),
		others: templatePaths,
		cwd,
		home: homedir,
	};
}
