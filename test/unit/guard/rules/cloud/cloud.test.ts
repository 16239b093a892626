import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'cloud-resources': {
    denied: `
      aws ec2 terminate-instances --instance-ids i-1
      aws --profile prod --region eu-west-1 rds delete-db-instance --db-instance-identifier x
      aws logs delete-log-group --log-group-name x
      aws s3 rm s3://bucket --recursive
      aws s3 rb s3://bucket --force
      aws s3 sync s3://a s3://b --delete
      aws s3 mv s3://bucket/a s3://bucket/b
      aws iam attach-user-policy --user-name me --policy-arn arn:aws:iam::aws:policy/AdministratorAccess
      aws iam create-access-key --user-name me
      aws kms schedule-key-deletion --key-id x
      aws-vault exec prod -- aws ec2 stop-instances --instance-ids i-1
      sh -c 'aws sqs purge-queue --queue-url x'
      gcloud compute instances delete vm --zone x -q
      gcloud --project p projects delete p
      gcloud sql instances delete db
      gcloud projects add-iam-policy-binding p --member=user:x --role=roles/owner
      gsutil -m rm -r gs://bucket
      gsutil rsync -d . gs://bucket
      bq rm -r -f dataset
      az group delete -n g --yes
      az vm deallocate -g g -n vm
      az network vnet subnet delete -g g -n s --vnet-name v
      az network vnet --verbose delete -g g -n v
      az role assignment create --assignee x --role Owner
      doctl compute droplet delete 123 -f
      heroku apps:destroy -a app --confirm app
      heroku pg:reset DATABASE_URL -a app
      heroku ps:scale web=0 -a app
      fly scale count 0
      fly apps destroy app
      flyctl volumes destroy vol_1 -y
      vercel rm app --yes
      npx vercel remove app
      netlify sites:delete --force
      railway down
      firebase firestore:delete --all-collections
      wrangler d1 delete db
      npx wrangler kv namespace delete --namespace-id x
      supabase db reset --linked
      hcloud server delete web
      linode-cli linodes delete 1
      rclone purge remote:bucket
      restic forget --prune latest
      vault kv destroy -versions=1 secret/x
      consul kv delete -recurse app
      eksctl delete cluster --name x
      kafka-topics.sh --bootstrap-server k:9092 --delete --topic t
      rabbitmqctl delete_queue q
      nats stream rm orders`,
    allowed: `
      aws s3 ls s3://bucket
      aws s3 cp s3://bucket/a .
      aws s3 rm s3://bucket/a --dryrun
      aws ec2 describe-instances
      aws ec2 terminate-instances help
      aws ec2 terminate-instances --dry-run --instance-ids i-1
      aws --endpoint-url http://localhost:4566 s3 rb s3://bucket --force
      AWS_ENDPOINT_URL=http://localhost:4566 aws sqs delete-queue --queue-url x
      awslocal s3 rb s3://bucket
      aws logs tail /app --follow
      aws lambda invoke --function-name delete-user out.json
      aws cloudformation validate-template --template-body file://t.yml
      gcloud compute instances list
      gcloud compute instances describe delete
      gcloud config list
      az group show -n delete
      az vm list -o table
      doctl compute droplet list
      heroku logs --tail -a app
      fly status -a app
      vercel ls
      vercel dev
      netlify dev
      wrangler dev
      supabase start
      firebase emulators:start
      hcloud server list
      rclone ls remote:bucket
      restic snapshots
      vault status
      echo aws ec2 terminate-instances
      grep -r "az group delete" docs`,
  },
  infrastructure: {
    denied: `
      terraform destroy
      terraform destroy -auto-approve
      terraform -chdir=infra apply -auto-approve
      terraform apply -destroy
      terraform apply --auto-approve=true plan.out
      terraform state rm aws_instance.web
      terraform workspace delete prod
      tofu apply -auto-approve
      terragrunt run-all destroy
      TF_CLI_ARGS_apply=-auto-approve terraform apply
      yes | terraform apply
      pulumi destroy -y
      pulumi up --yes
      pulumi stack rm prod
      cdk destroy --force
      npx cdk destroy
      sam delete --no-prompts
      sls remove --stage prod
      vagrant destroy -f
      ansible-playbook -i hosts site.yml
      ansible all -i hosts -m shell -a 'rm -rf /data'`,
    allowed: `
      terraform init
      terraform plan -out plan.out
      terraform plan -destroy
      terraform validate
      terraform fmt -recursive
      terraform state list
      terraform apply -help
      terraform workspace list
      pulumi preview
      pulumi stack ls
      cdk synth
      cdk diff
      sam build
      sam local invoke
      vagrant status
      ansible-playbook --syntax-check site.yml
      ansible-playbook -i hosts site.yml --check --diff
      ansible-playbook -i localhost, -c local setup.yml
      ansible all -i hosts -m ping
      ansible-lint site.yml`,
  },
  kubernetes: {
    denied: `
      kubectl delete pod web
      kubectl -n prod delete deployment web
      kubectl delete -f k8s/
      kubectl delete pod web -- --help
      kubectl --context prod delete ns prod
      kubectl drain node-1 --ignore-daemonsets
      kubectl scale deployment web --replicas=0
      kubectl replace --force -f x.yml
      oc delete project x
      helm uninstall web
      helm -n prod delete web
      helm rollback web 1
      argocd app delete web
      velero backup delete b
      kubectl exec web -- sh -c 'helm uninstall web'`,
    allowed: `
      kubectl get pods -A
      kubectl get pods delete
      kubectl describe pod web
      kubectl logs -f deploy/web
      kubectl delete pod web --dry-run=client
      kubectl --context kind-dev delete ns x
      kubectl delete pod web --context=minikube
      kubectl apply -f k8s/
      kubectl apply --dry-run=server -f k8s/
      kubectl port-forward svc/web 8080:80
      kubectl scale deployment web --replicas=2
      kubectl exec -it web -- ls
      helm list
      helm template chart
      helm upgrade --install web chart
      helm uninstall web --dry-run
      kind delete cluster --name dev
      minikube delete`,
  },
  containers: {
    denied: `
      docker system prune -af --volumes
      docker volume rm data
      docker volume prune -f
      docker --context prod volume rm data
      docker container prune -f
      docker image prune -a
      docker compose down -v
      docker compose -f compose.yml -p app down --volumes
      docker-compose down -v --remove-orphans
      podman system reset
      podman rm -af
      docker stack rm app
      docker swarm leave --force
      docker ps -aq | xargs docker rm -f
      docker rm -f $(docker ps -aq)
      docker stop \`docker ps -q\`
      docker rmi -f $(docker images -q)
      docker network prune -f
      for c in $(docker ps -aq); do docker rm -f $c; done`,
    allowed: `
      docker ps -a
      docker rm -f test-db
      docker rm -fv test-db
      docker stop web
      docker compose up -d
      docker compose down
      docker compose down --remove-orphans
      docker compose logs -f
      docker volume ls
      docker volume create data
      docker image prune
      docker builder prune -f
      docker rmi app:old
      docker ps -q -f name=test | xargs docker stop
      docker system df
      docker rm -f $(docker ps -aq --filter name=test)
      ID=$(docker run -d nginx); docker rm -f $ID
      docker run --rm -v data:/data alpine ls`,
  },
  deployment: {
    denied: `
      firebase deploy --only hosting
      npx firebase deploy
      fly deploy
      vercel --prod
      vercel deploy --prod
      netlify deploy --prod --dir dist
      wrangler deploy
      npx wrangler publish
      gcloud app deploy
      gcloud run deploy web --image x
      sls deploy
      cdk deploy
      sam deploy --guided
      eas submit -p ios
      railway up
      heroku container:release web -a app`,
    allowed: `
      firebase serve
      fly logs
      vercel build
      vercel deploy
      netlify deploy --dir dist
      wrangler deploy --dry-run
      wrangler dev
      cdk synth
      npm run deploy:docs-check
      echo fly deploy`,
  },
  'remote-delete': {
    denied: `
      curl -X DELETE https://api.example.org/v1/users/1
      curl -sXDELETE https://api.example.org/v1/users/1
      curl --request=DELETE -H 'a: b' api.example.org/users/1
      wget --method=DELETE https://api.example.org/x
      http DELETE https://api.example.org/x`,
    allowed: `
      curl -X DELETE http://localhost:3000/users/1
      curl -X DELETE http://127.0.0.1:9200/index
      curl -X DELETE localhost:9200/index
      curl -X DELETE http://elasticsearch:9200/index
      curl -X POST https://api.example.org/users -d DELETE
      curl https://api.example.org/users
      http :3000/users/1`,
  },
})
