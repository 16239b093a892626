import type { Rule } from './rule.ts'
import { cloudResources } from './rules/cloud/cloud-resources.ts'
import { containers } from './rules/cloud/containers.ts'
import { deployment } from './rules/cloud/deployment.ts'
import { infrastructure } from './rules/cloud/infrastructure.ts'
import { kubernetes } from './rules/cloud/kubernetes.ts'
import { remoteDelete } from './rules/cloud/remote-delete.ts'
import { hostNamespace } from './rules/container-escape/host-namespace.ts'
import { privilegedContainer } from './rules/container-escape/privileged-container.ts'
import { credentialCommand } from './rules/credentials/credential-command.ts'
import { credentialFile } from './rules/credentials/credential-file.ts'
import { metadataService } from './rules/credentials/metadata-service.ts'
import { printEnvironment } from './rules/credentials/print-environment.ts'
import { printInCode } from './rules/credentials/print-in-code.ts'
import { printSecret } from './rules/credentials/print-secret.ts'
import { databaseTools } from './rules/databases/database-tools.ts'
import { sql } from './rules/databases/sql.ts'
import { stores } from './rules/databases/stores.ts'
import { bootLoader } from './rules/disks-and-boot/boot-loader.ts'
import { deviceWrite } from './rules/disks-and-boot/device-write.ts'
import { formatDisk } from './rules/disks-and-boot/format-disk.ts'
import { mount } from './rules/disks-and-boot/mount.ts'
import { commandAlias } from './rules/environment/command-alias.ts'
import { gitProgram } from './rules/environment/git-program.ts'
import { loadedCode } from './rules/environment/loaded-code.ts'
import { searchPath } from './rules/environment/search-path.ts'
import { shellHistory } from './rules/environment/shell-history.ts'
import { copyElsewhere } from './rules/exfiltration/copy-elsewhere.ts'
import { pushElsewhere } from './rules/exfiltration/push-elsewhere.ts'
import { rawConnection } from './rules/exfiltration/raw-connection.ts'
import { sendInCode } from './rules/exfiltration/send-in-code.ts'
import { toBucket } from './rules/exfiltration/to-bucket.ts'
import { upload } from './rules/exfiltration/upload.ts'
import { moveAway } from './rules/file-destruction/move-away.ts'
import { overwriteForGood } from './rules/file-destruction/overwrite-for-good.ts'
import { removeElsewhere } from './rules/file-destruction/remove-elsewhere.ts'
import { removeOutside } from './rules/file-destruction/remove-outside.ts'
import { removeProject } from './rules/file-destruction/remove-project.ts'
import { removeUnseen } from './rules/file-destruction/remove-unseen.ts'
import { forge } from './rules/git-destruction/forge.ts'
import { gitClean } from './rules/git-destruction/git-clean.ts'
import { gitDiscard } from './rules/git-destruction/git-discard.ts'
import { gitHistory } from './rules/git-destruction/git-history.ts'
import { gitPush } from './rules/git-destruction/git-push.ts'
import { gitRefs } from './rules/git-destruction/git-refs.ts'
import { gitStash } from './rules/git-destruction/git-stash.ts'
import { otherHistory } from './rules/git-destruction/other-history.ts'
import { network } from './rules/network-configuration/network.ts'
import { dynamicCommand } from './rules/obfuscation/dynamic-command.ts'
import { hiddenScript } from './rules/obfuscation/hidden-script.ts'
import { invisibleCharacter } from './rules/obfuscation/invisible-character.ts'
import { foreignRights } from './rules/permissions/foreign-rights.ts'
import { lockOut } from './rules/permissions/lock-out.ts'
import { openToAll } from './rules/permissions/open-to-all.ts'
import { gitGlobal } from './rules/persistence/git-global.ts'
import { scheduledJob } from './rules/persistence/scheduled-job.ts'
import { startupFile } from './rules/persistence/startup-file.ts'
import { accounts } from './rules/privilege-escalation/accounts.ts'
import { asRoot } from './rules/privilege-escalation/as-root.ts'
import { lendRights } from './rules/privilege-escalation/lend-rights.ts'
import { kill } from './rules/processes/kill.ts'
import { services } from './rules/processes/services.ts'
import { shutdown } from './rules/processes/shutdown.ts'
import { exhaust } from './rules/resource-exhaustion/exhaust.ts'
import { fillDisk } from './rules/resource-exhaustion/fill-disk.ts'
import { netcat } from './rules/reverse-shell/netcat.ts'
import { remoteAccess } from './rules/reverse-shell/remote-access.ts'
import { shellToNetwork } from './rules/reverse-shell/shell-to-network.ts'
import { agentConfiguration } from './rules/self-tampering/agent-configuration.ts'
import { gitConfiguration } from './rules/self-tampering/git-configuration.ts'
import { gitDirectory } from './rules/self-tampering/git-directory.ts'
import { ignoredFiles } from './rules/self-tampering/ignored-files.ts'
import { marker } from './rules/self-tampering/marker.ts'
import { peopleOnlyFile } from './rules/self-tampering/people-only-file.ts'
import { pluginFile } from './rules/self-tampering/plugin-file.ts'
import { runnerState } from './rules/self-tampering/runner-state.ts'
import { steeringFile } from './rules/self-tampering/steering-file.ts'
import { systemPath } from './rules/sensitive-paths/system-path.ts'
import { packageSource } from './rules/supply-chain/package-source.ts'
import { publish } from './rules/supply-chain/publish.ts'
import { remoteCode } from './rules/supply-chain/remote-code.ts'
import { systemPackages } from './rules/system-configuration/system-packages.ts'
import { systemSettings } from './rules/system-configuration/system-settings.ts'

/** Every rule of the guard; the first one that speaks is the answer. */
export const rules: readonly Rule[] = [
  marker,
  peopleOnlyFile,
  steeringFile,
  pluginFile,
  runnerState,
  gitDirectory,
  gitConfiguration,
  ignoredFiles,
  agentConfiguration,
  forge,
  gitClean,
  gitDiscard,
  gitHistory,
  gitPush,
  gitRefs,
  gitStash,
  otherHistory,
  cloudResources,
  containers,
  deployment,
  infrastructure,
  kubernetes,
  remoteDelete,
  hostNamespace,
  privilegedContainer,
  databaseTools,
  sql,
  stores,
  commandAlias,
  gitProgram,
  loadedCode,
  searchPath,
  shellHistory,
  gitGlobal,
  scheduledJob,
  startupFile,
  packageSource,
  publish,
  remoteCode,
  moveAway,
  overwriteForGood,
  removeElsewhere,
  removeOutside,
  removeProject,
  removeUnseen,
  bootLoader,
  deviceWrite,
  formatDisk,
  mount,
  foreignRights,
  lockOut,
  openToAll,
  systemPath,
  credentialCommand,
  credentialFile,
  metadataService,
  printEnvironment,
  printSecret,
  copyElsewhere,
  pushElsewhere,
  rawConnection,
  toBucket,
  upload,
  netcat,
  remoteAccess,
  shellToNetwork,
  accounts,
  asRoot,
  lendRights,
  network,
  exhaust,
  fillDisk,
  systemPackages,
  systemSettings,
  kill,
  services,
  shutdown,
  dynamicCommand,
  hiddenScript,
  invisibleCharacter,
  printInCode,
  sendInCode,
]
