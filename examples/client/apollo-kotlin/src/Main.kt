// mvn package, or Apollo's plugin of Gradle with the same schema.graphql and operations.graphql
import com.apollographql.apollo.ApolloClient
import com.apollographql.apollo.api.Optional
import kotlinx.coroutines.runBlocking
import slipway.CreatePipelineMutation
import slipway.PassedBuildQuery
import slipway.type.PipelineCreateInput
import slipway.type.PipelineRepositoryInput
import slipway.type.PipelineStepsInput

fun main(arguments: Array<String>) = runBlocking {
  val (name, passed) = arguments
  val org = System.getenv("SLIPWAY_ORGANIZATION") ?: "demo"
  val client = ApolloClient.Builder()
    .serverUrl((System.getenv("SLIPWAY_URL") ?: "http://127.0.0.1:3000") + "/graphql")
    .addHttpHeader("Authorization", "Bearer " + System.getenv("SLIPWAY_TOKEN"))
    .build()

  val read = client.query(PassedBuildQuery(org, "$org/$passed/1")).execute().dataOrThrow()
  val input = PipelineCreateInput(
    organizationId = read.organization!!.id,
    name = name,
    repository = PipelineRepositoryInput(url = "https://git.example.com/demo/example.git"),
    steps = Optional.present(PipelineStepsInput(yaml = "steps: []")),
  )
  val created = client.mutation(CreatePipelineMutation(input)).execute().dataOrThrow()
  val job = read.build?.jobs?.edges?.first()?.node?.onJobTypeCommand
  println("${created.pipelineCreate?.pipeline?.slug} ${read.build?.state} ${job?.exitStatus}")
  client.close()
}
